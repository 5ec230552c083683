# shaders/kept/ has the SPIR-V of shaders that use cooperative matrices, for builds whose glslang does not know these: the
# C array that a newer one writes. Above it stands each file that it was made of, with a hash. scripts/keep_shaders.sh
# makes it.

# proxel_text_hash(<result> <file>): of the text without comments and indents, which leave the SPIR-V as it is.
function(proxel_text_hash result file)
  file(READ ${file} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "[ \t]+" " " text "${text}")
  string(REGEX REPLACE " ?\n[ \n]*" "\n" text "${text}")
  string(SHA256 hash "${text}")
  set(${result} ${hash} PARENT_SCOPE)
endfunction()

# proxel_kept_shader(<result> <shader>): the file that keeps it, and
#   <result>_changed  what it was made of and is not as it was then, or the file itself where it is not there
#   <result>_follow   the files whose change changes this answer
function(proxel_kept_shader result shader)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
  get_filename_component(name ${shader} NAME_WE)
  set(kept shaders/kept/${name}.spv.inc)
  set(changed "")
  set(follow "")
  set(lines "")
  if(EXISTS ${root}/${kept})
    list(APPEND follow ${root}/${kept})
    file(STRINGS ${root}/${kept} lines REGEX "^// [0-9a-f]+ [^ ]+$")
  endif()
  foreach(line IN LISTS lines)
    string(REPLACE " " ";" line ${line})
    list(GET line 1 then)
    list(GET line 2 source)
    set(now "")
    if(EXISTS ${root}/${source})
      list(APPEND follow ${root}/${source})
      proxel_text_hash(now ${root}/${source})
    endif()
    if(NOT now STREQUAL then)
      list(APPEND changed ${source})
    endif()
  endforeach()
  if(NOT shader IN_LIST follow)
    list(APPEND changed ${kept})
  endif()
  set(${result} ${root}/${kept} PARENT_SCOPE)
  set(${result}_changed ${changed} PARENT_SCOPE)
  set(${result}_follow ${follow} PARENT_SCOPE)
endfunction()
