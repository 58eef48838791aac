# Lines that prefetchers fetch, by where they were: Zen's events add up.
E=DEMAND_DATA_CACHE_FILLS:ALL
for part in L2 L3 DRAM_NEAR ALL; do
	E=$E,HW_PREFETCH_FILLS:$part,ANY_DATA_CACHE_FILLS:$part
	E=$E,DEMAND_DATA_CACHE_FILLS:$part,SW_PREFETCH_FILLS:$part
done
for level in HIT_L2 HIT_L3 MISS_L3; do
	E=$E,L2_PREFETCH_$level:L2_HW,L2_PREFETCH_$level:L1_HW
done
E=$E,REQUESTS_TO_L2_GROUP1:L2_HW_PF,MAB_ALLOCATION_BY_TYPE:HW_PF
for state in off on; do
	for kernel in 'matmul --n 200' 'stream --ints 4M --passes 2' \
			'chase --elements 20000 --order linear --passes 4'; do
		"$ASSAY" run $kernel -q -x , -e $E \
			--on sim:amd-zen4,prefetchers=$state || exit 1
	done
done | awk -F, '
function of(event) { return $at[event] }
function say(what, a, b) {
	if (a != b)
		print what ": " a " and " b
}
$0 ~ /DEMAND/ {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
{
	split("L2 L3 DRAM_NEAR", part, " ")
	hardware = any = demand = 0
	for (i = 1; i <= 3; i++) {
		hardware += of("HW_PREFETCH_FILLS:" part[i])
		demand += of("DEMAND_DATA_CACHE_FILLS:" part[i])
		any += of("ANY_DATA_CACHE_FILLS:" part[i])
	}
	say("hardware", hardware, of("HW_PREFETCH_FILLS:ALL"))
	say("demand", demand, of("DEMAND_DATA_CACHE_FILLS:ALL"))
	say("any", any, of("ANY_DATA_CACHE_FILLS:ALL"))
	say("both", any, hardware + demand)
	say("buffers", hardware, of("MAB_ALLOCATION_BY_TYPE:HW_PF"))
	near = of("L2_PREFETCH_HIT_L2:L1_HW")
	say("by the core", of("HW_PREFETCH_FILLS:L2"), near)
	own = of("REQUESTS_TO_L2_GROUP1:L2_HW_PF")
	there = of("L2_PREFETCH_HIT_L2:L2_HW")
	far = of("L2_PREFETCH_HIT_L3:L2_HW")
	memory = of("L2_PREFETCH_MISS_L3:L2_HW")
	say("by L2", own, there + far + memory)
	print "the core:", hardware ? "some," : "none,", "L2:", \
		there ? "there," : "-", far ? "from L3," : "-", \
		memory ? "from memory" : "-"
}'
# loads across lines, and of these across pages; of those of 2 MiB it is absent
printf ' L 1ff8,8\n L 1ffc,8\n L 2ffd,4\n S 3ffe,8\n L 103e,8\n M 4ffc,8\n' >split
for map in identity identity-2m; do
	"$ASSAY" sim --trace split --trace-format lackey --cpu amd-zen4 -q -x , \
		--page-map $map -e MISALIGNED_LOADS:LINE,MISALIGNED_LOADS:PAGE |
		awk -F, 'NR == 2 { print "across lines " $1 ", pages " $2 }'
done
# what follows from that: an instruction is no prefetch of the hardware
for event in SW_PREFETCH_FILLS:L2 HW_PREFETCH_FILLS:L2 MISALIGNED_LOADS:PAGE \
		REQUESTS_TO_L2_GROUP1:L2_HW_PF; do
	"$ASSAY" explain $event --cpu amd-zen4 | awk -v event=$event '
		/^hardware prefetches/ { print event, $3 }'
done
