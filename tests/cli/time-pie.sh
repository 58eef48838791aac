# Shares depend on the machine, and it may refuse; the form does not.
"$ASSAY" run chase --on time --elements 64 -r 1 --pie -x , -q | head -n 1 |
	tr , '\n' | sed -n '/^time/p' | tr '\n' ' '
echo
"$ASSAY" run pages --pie --pages 8 -j | sed -n '2s/.*"hypothesis":"\([a-z]*\)".*"truth":"no".*/\1/p'
status() { "$@" || echo "exit $?"; }
"$ASSAY" run stride --pie --bytes 16K -j | sed -n '2s/.*"hypothesis":"\([a-z]*\)".*"truth":"no".*/\1/p'
status "$ASSAY" run touch --on time --pie
status "$ASSAY" run chase --on sim:cortex-a72 --pie
