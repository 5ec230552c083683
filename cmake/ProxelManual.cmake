# Manual pages of installed programs, made by help2man from what they say of themselves.
find_program(PROXEL_HELP2MAN help2man)
mark_as_advanced(PROXEL_HELP2MAN)

# proxel_manual(<target of a program> <component that it is installed with>)
function(proxel_manual program component)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  if(NOT PROXEL_HELP2MAN OR CMAKE_CROSSCOMPILING)
    proxel_summary("manual of ${program}" "left out: it needs help2man, and to run the program")
    return()
  endif()
  set(folder ${PROJECT_BINARY_DIR}/manual/${program})
  set(maker ${PROJECT_SOURCE_DIR}/cmake/ManualPages.cmake)
  add_custom_command(
    OUTPUT ${folder}.written
    COMMAND ${CMAKE_COMMAND} -DHELP2MAN=${PROXEL_HELP2MAN} -DPROGRAM=$<TARGET_FILE:${program}>
            -DVERSION=${PROJECT_VERSION} -DFOLDER=${folder} -P ${maker}
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}.written
    DEPENDS ${program} ${maker}
    COMMENT "Writing the manual of ${program}" VERBATIM)
  add_custom_target(${program}_manual ALL DEPENDS ${folder}.written)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()
