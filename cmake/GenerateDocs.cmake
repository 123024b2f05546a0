# Run by the build: asks PROGRAM for its manual and completion scripts and leaves them in
# OUTPUT. Without LOWDOWN the folder of man pages stays empty.
function(ask file)
  execute_process(COMMAND ${PROGRAM} ${ARGN}
    OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${OUTPUT}/man1 ${OUTPUT}/markdown)
ask(${OUTPUT}/delaplace.bash __completion bash)
ask(${OUTPUT}/_delaplace __completion zsh)
if(LOWDOWN)
  execute_process(COMMAND ${PROGRAM} __man
    OUTPUT_VARIABLE pages OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" pages "${pages}")
  foreach(page IN LISTS pages)
    ask(${OUTPUT}/markdown/${page}.md __man ${page})
    execute_process(COMMAND ${LOWDOWN} -s -Tman --out-no-smarty ${OUTPUT}/markdown/${page}.md
      OUTPUT_FILE ${OUTPUT}/man1/${page}.1 COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
file(TOUCH ${OUTPUT}/stamp)
