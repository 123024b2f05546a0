# Run by the build: writes to OUTPUT the C source of an array NAME with the bytes of INPUT
# and a zero behind them.
file(READ ${INPUT} bytes HEX)
string(REPEAT "." 48 line)
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT}
  "extern const unsigned char ${NAME}[];\nconst unsigned char ${NAME}[] = {\n${bytes}0};\n")
