# Timing needs no counters; software events need no PMU.
"$ASSAY" run chase --elements 64 --passes 10
"$ASSAY" sweep chase --elements 64,128 --accesses 1024 -x , -q | head -n 1
"$ASSAY" sweep chase --elements 64,128 --accesses 1024 -x , -q | sed 1d |
	sed 's/1,1,[0-9.]*,[0-9.]*,[0-9.]*,.*,\(disturbed\|within limits\)$/1,1,NS,NS,CYCLES,NOISE/'
"$ASSAY" sweep chase --elements 64..1024 --accesses 1024 | tail -n 3
# the CPU that is asked for is the one of the record
cpu=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
"$ASSAY" run chase --elements 64 --passes 10 --cpu "$cpu" -j |
	grep -c "\"settings\":{\"cpu\":$cpu,"
