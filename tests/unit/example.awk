# The first block of code of a page; scdoc wants two backslashes for one.
/^```/ { blocks++; next }
blocks == 1 { gsub(/\\\\/, "\\"); print }
