# SPDX-License-Identifier: MIT
# The device tree of QEMU's "virt" with two CPUs, as one of two core types: a
# PMU node for each, whose interrupt belongs to one CPU (ppi-partitions, so
# every interrupt gets a fourth cell). cpu0, cpu1: phandles of the CPUs.
/^\tpcie@/ { skip = 1 }
skip { if (/^\t};/) skip = 0; next }
/^\tpmu \{/ { pmu = 1 }
pmu {
	if (/^\t};/) {
		pmu = 0
		node("a53", 0)
		node("a72", 1)
	}
	next
}
/^\t\tinterrupts = </ {
	match($0, /<.*>/)
	n = split(substr($0, RSTART + 1, RLENGTH - 2), cell, " ")
	printf "\t\tinterrupts = <"
	for (i = 1; i <= n; i += 3)
		printf " %s %s %s 0", cell[i], cell[i + 1], cell[i + 2]
	print " >;"
	next
}
/#interrupt-cells = <0x03>/ {
	print "\t\t#interrupt-cells = <4>;"
	print "\t\tppi-partitions {"
	print "\t\t\tpart0: interrupt-partition-0 { affinity = <" cpu0 ">; };"
	print "\t\t\tpart1: interrupt-partition-1 { affinity = <" cpu1 ">; };"
	print "\t\t};"
	next
}
{ print }

function node(core, part)
{
	printf "\tpmu-%s { compatible = \"arm,cortex-%s-pmu\"; ", core, core
	printf "interrupts = <1 7 4 &part%d>; };\n", part
}
