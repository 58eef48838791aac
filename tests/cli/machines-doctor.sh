# Recorded machines: can they count, and what is wrong with them.
umask 022
for tree in "$ASSAY_SOURCE"/tests/machines/*.tree; do
	name=$(basename "$tree" .tree)
	"$ASSAY_SOURCE"/tests/machines/unpack "$tree" "$name"
	status=0
	"$ASSAY" doctor --sysroot "$name" -x , >table || status=$?
	echo "$name: exits with $status"
	grep -E '^[^,]*,[^,]*,(warn|bad),' table | cut -d, -f1-3
	# whose events have names, on each kind of core
	grep -E '^counters,"?(event )?names' table | cut -d, -f2-5
done
# an Arm core with a CPU file that is not of CPU 0's kind
echo 0x00000000410fd083 \
	>big-little-phone/sys/devices/system/cpu/cpu4/regs/identification/midr_el1
"$ASSAY" doctor --sysroot big-little-phone -j | grep '"names, armv8_cortex_a78"'
# what a killed run left is put back
"$ASSAY" doctor --sysroot epyc-7763 --restore
"$ASSAY" doctor --sysroot epyc-7763 --restore
"$ASSAY" doctor --sysroot epyc-7763 -j | grep -c left-over
mkdir -p epyc-7763/run/assay
printf 'assay-journal 1\ngovernor 0 schedutil performance 89b0746a\n' \
	>epyc-7763/run/assay/journal
echo performance \
	>epyc-7763/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
"$ASSAY" doctor --sysroot epyc-7763 --restore -j
cat epyc-7763/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor
exit 0
