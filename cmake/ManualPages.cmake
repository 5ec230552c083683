# Writes the manual pages of a program from its --help, with help2man, so that they say what it says:
# proxel.1, and for each of its commands proxel-search.1, proxel-signatures-build.1 and so on.
#   cmake -DHELP2MAN=… -DPROGRAM=… -DVERSION=… -DFOLDER=… -P ManualPages.cmake
get_filename_component(folder_of_program ${PROGRAM} DIRECTORY)
get_filename_component(name ${PROGRAM} NAME)
# Pages tell of a user's folders, not of those of whoever builds the package.
set(ENV{HOME} "~")
unset(ENV{XDG_CONFIG_HOME})
set(ENV{LC_ALL} C.UTF-8)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# run(<result> <command>…): what it prints. From the program's folder, as its path may need quoting.
function(run result)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder_of_program} OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

# The page of "proxel <command>", and those of the commands below it.
function(write_page description)
  set(page ${name} ${ARGN})
  list(JOIN page "-" page)
  set(call ./${name} ${ARGN})
  list(JOIN call " " call)
  run(ignored ${HELP2MAN} --no-info --name=${description} --version-string=${page}\ ${VERSION}
      --source=proxel\ ${VERSION} --output=${FOLDER}/${page}.1 ${call})
  run(ignored gzip -9n ${FOLDER}/${page}.1)

  run(help ./${name} ${ARGN} --help)
  if(NOT help MATCHES "\nSubcommands:\n(([^\n]+\n)+)")
    return()
  endif()
  string(REPLACE ";" "," commands "${CMAKE_MATCH_1}")
  string(REGEX MATCHALL "[^\n]+" commands "${commands}")
  foreach(line IN LISTS commands)
    if(line MATCHES "^  ([a-z-]+) +([^ ].*)$")
      write_page("${CMAKE_MATCH_2}" ${ARGN} ${CMAKE_MATCH_1})
    endif()
  endforeach()
endfunction()

run(help ./${name} --help)
string(REGEX MATCH "^(${name}: )?([^\n]*)" first "${help}")
string(REGEX REPLACE "[.]$" "" about "${CMAKE_MATCH_2}")
write_page("${about}")
