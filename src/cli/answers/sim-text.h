/* SPDX-License-Identifier: MIT */
/* The text of assay sim's help and manual page, in paragraphs. */
#ifndef CLI_ANSWERS_SIM_TEXT_H
#define CLI_ANSWERS_SIM_TEXT_H

#define SIM_TEXT \
	"Simulates the memory hierarchy of a CPU on the accesses of a " \
	"trace, or of an unmodified program for x86-64 or AArch64 that " \
	"runs under QEMU (package qemu-user). Trace formats are " \
	"Dinero's text, valgrind lackey's, ChampSim's and assay's own " \
	"('assay run --dump-trace'), also compressed by zstd.\n\n" \
	"Of a program, the first sentence names the line that costs " \
	"most; a table of lines follows (--by function, object; " \
	"--by none: totals only). Without --cpu a program is simulated " \
	"on a model of this machine's CPU: its CPU file with the sizes " \
	"that the kernel reports, or a model of those alone; a program " \
	"for the other instruction set on neoverse-n1 or skylake-sp. " \
	"The report says which, and why.\n\n" \
	"lost_cycles is an estimate: for each miss, what the CPU file " \
	"says the next level takes longer. It is (l2-hit - l1-hit) x " \
	"(l1d_misses + l1i_misses) + (l3-hit - l2-hit) x l2_misses + " \
	"dram-extra x l3_misses + dtlb-miss x dtlb_misses + mispredict " \
	"x mispredicts; after the last cache, dram-extra. Misses that " \
	"overlap cost less in a real CPU; misses of prefetches are " \
	"counted, too. A line of inlined code shows the function that " \
	"it was inlined into (-v: all of them). For people, the " \
	"dynamic loader and what libc does before main() are one row " \
	"(--all: not so), and lines below a thousandth are added up; " \
	"-j and -x have all rows. Names that the tables show can be " \
	"given to -e and --sort.\n\n" \
	"A program keeps its standard output: without -o the results go " \
	"to standard error. The exit status is that of the program, or " \
	"128+N if signal N killed it. It is 125 if the simulation " \
	"failed, 126 if the program cannot be executed, 127 if there is " \
	"no such program.\n\n" \
	"Accesses and instructions that the model does not simulate, " \
	"such as flushes, are counted as not modelled. An access that " \
	"QEMU splits is one access: that of a pair of registers, or of " \
	"a vector (16 bytes of a vector on AArch64). In a trace the " \
	"code of each instruction is looked up in L1I; in a program, " \
	"each line of code that is entered. The rows of --by add up to " \
	"the totals: page walks and prefetches belong to the " \
	"instruction that caused them. If functions of several files " \
	"have one name, the file is shown, too.\n\n" \
	"With --why, the misses of a line in a cache or TLB are cold " \
	"(of lines never looked up there before), capacity (the others " \
	"that a fully associative cache with LRU has too, which gets " \
	"the same lookups) and conflict misses (the rest; \"none\" " \
	"where the CPU's policy beats LRU). The stride is that of at " \
	"least half of the misses; the sets are those of as many misses " \
	"in a row as L1D has sets; bytes of a line are used if they are " \
	"accessed before the line leaves L1D. With --by data, memory is " \
	"named by the line that called its allocator (malloc and its " \
	"like, operator new, mmap), also after it was freed; without " \
	"names of functions, in stripped static programs, it is " \
	"[other memory].\n\n" \
	"Processes that the program starts are simulated, too, and the " \
	"counts are sums over all processes. Each process has a core of " \
	"its own, which its threads share: what sharing between cores " \
	"costs is not seen, and the report says so. The caches are empty " \
	"after a fork and after an exec. A process that outlives the " \
	"first one is counted until the first one ends, except for its " \
	"last accesses (seldom a million). Programs for another " \
	"instruction set, set-user-ID programs and programs that cannot " \
	"be read run without simulation, and are counted as not " \
	"modelled.\n\n" \
	"--from counts from the entry of a function to its return, in " \
	"each thread that calls the function, and in threads and " \
	"processes that are made inside. In a recursion the outermost " \
	"call counts. Caches, TLBs and predictors are as they are then: " \
	"what runs outside is simulated, and not counted. longjmp, an " \
	"exception and the end of the program end the function, too; so " \
	"does a switch to a stack that lies higher (coroutines). " \
	"FUNCTION is the symbol, or the name in C++ or Rust, where " \
	"arguments, those of templates, and outer namespaces may be " \
	"left away; FILE is the source of a local function, OBJECT the " \
	"program or a library, also one that is loaded later. Copies " \
	"that a compiler makes of a function (.constprop) belong to the " \
	"function. A call that is inlined has no entry and does not " \
	"count.\n\n" \
	"A program marks regions by assay_mark_begin(\"NAME\") and " \
	"assay_mark_end(\"NAME\") of <assay/mark.h>, which needs no " \
	"library, or by assay_region_begin() and assay_region_end() of " \
	"libassay; other languages make the system call 0x61737361 with " \
	"1 or 2 and the name. Each thread has its own open regions. Of " \
	"a region that is begun again inside itself the outermost pair " \
	"counts; what is not ended, or not begun, is said. The few " \
	"instructions of the mark at the end are counted. Each region " \
	"is a row; with --region NAME all counts are those of that " \
	"region.\n\n" \
	"--only counts what the code of a function, a source file or an " \
	"object causes, wherever the code is inlined. It keeps rows of " \
	"--by; quantities that are not known by instruction, such as " \
	"write-backs, are absent.\n\n" \
	"With --from, --region, --only or --per-region the exit status " \
	"is 4, and there are no counts, if what was to be counted never " \
	"ran.\n\n" \
	"--slope runs the program with N, M and 2M - N in place of each " \
	"{n} in its arguments. per_unit is the difference of the first " \
	"two runs per step, overhead what the line gives for no step, " \
	"curvature how far the third run is off the line, and " \
	"off_the_line the share of that in the rise from N to M. The " \
	"rows of slopes of 0 are shown with -v.\n\n" \
	"With -o callgrind.out.NAME or NAME.callgrind the output has " \
	"the counts of all lines in callgrind's format, inlined ones " \
	"under their own files, for KCachegrind and callgrind_annotate."

#endif
