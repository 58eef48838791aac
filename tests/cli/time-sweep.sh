# Real times: any numbers, stable or not; but always all columns, ns and cycles.
"$ASSAY" sweep chase --on time --elements 64,1024 -r 2 -x , -q | head -n 1
"$ASSAY" sweep chase --on time --elements 64,1024 -r 2 -x , -q | sed 1d |
	sed 's/shuffled,.*,[a-z]*$/shuffled,NUMBERS,STATE/'
"$ASSAY" run chase --on time --elements 64 --order linear -r 2 -j |
	sed 's/.*"provider":"\([a-z]*\)".*\("time.ps-per-access"\).*/\1 \2/'
"$ASSAY" run stream --on time -r 1 --ints 1024 | grep -c '^core, p25'
status() { "$@" || echo "exit $?"; }
status "$ASSAY" run chase --on time -e cycles
status "$ASSAY" run chase --on time --slope
status "$ASSAY" run chase --on time:2
