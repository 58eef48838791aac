# What -j saved is read again, and says the same.
"$ASSAY" run chase --elements 64,4096 --passes 10 --on sim:cortex-a72 \
	-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD,INST_RETIRED -j -o saved.jsonl
"$ASSAY" sweep chase --elements 64,4096 --passes 10 --on sim:cortex-a72 \
	-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD,INST_RETIRED -x , |
	cut -d , -f 1-8 >simulated.csv
"$ASSAY" sweep chase --elements 64,4096 --passes 10 --on replay:saved.jsonl \
	-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD,INST_RETIRED -x , |
	cut -d , -f 1-8 >replayed.csv
cmp simulated.csv replayed.csv && echo same
"$ASSAY" run chase --elements 64 --passes 11 --on replay:saved.jsonl
echo "-> $?"
