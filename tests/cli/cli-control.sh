# Settings of a made-up machine: changed for the run, recorded, and undone.
machine() {
	mkdir -p m/proc m/sys/kernel/mm/hugepages/hugepages-2048kB
	printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n' \
		>m/proc/cpuinfo
	for cpu in 0 1; do
		mkdir -p m/dev/cpu/$cpu m/sys/devices/system/cpu/cpu$cpu/cpufreq
		head -c 1024 /dev/zero >m/dev/cpu/$cpu/msr
		echo schedutil >m/sys/devices/system/cpu/cpu$cpu/cpufreq/scaling_governor
	done
	echo performance schedutil \
		>m/sys/devices/system/cpu/cpu0/cpufreq/scaling_available_governors
	echo 0 >m/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
}
machine
cp -r m before
same() {
	rm -rf m/run
	diff -r before m && echo as it was
}
run() { "$ASSAY" run chase --elements 64 --sysroot m "$@"; }
run -j --prefetchers off --governor performance --huge 2 |
	grep -o '"options":"[^"]*"' | sed 's/ core-mhz=[0-9.]*//'
same
run --prefetchers 0x10
run --prefetchers some
run --governor turbo
run --nice 20
run --realtime 100
run --realtime 0
"$ASSAY" run chase --on sim:cortex-a72 --governor performance
same

echo a left-over journal
left_over() {
	mkdir -p -m 700 m/run/assay
	(umask 077; cat >m/run/assay/journal)
}
left_over <<'END'
assay-journal 1
governor 0 schedutil performance 89b0746a
END
echo performance >m/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
run >run.txt
same
left_over <<'END'
assay-journal 1
governor 0 schedutil performance 89b0746a
governor 1 schedutil ../../../../x 3a5b464f
END
run >run.txt || echo "status $?"
same
"$ASSAY_SOURCE"/bench/kill-drill "$ASSAY" 15 2>kills || cat kills
exit 0
