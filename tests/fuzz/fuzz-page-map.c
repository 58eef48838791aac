/* SPDX-License-Identifier: MIT */
/*
 * A page map of any text is refused with a sentence, or set, and its name sets
 * the same again. The first byte chooses the CPU.
 */
#include "fuzz.h"

#include "cpus/cpu.h"
#include "run/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const char *const names[] = { "amd-k10", "cortex-a76" };
	static struct cpu *cpu[2];
	struct assay_error err = { 0 };
	const unsigned which = bytes ? data[0] % 2 : 0;
	size_t n = bytes > 1 ? bytes - 1 : 0;
	char text[200], again[200];
	struct geometry g, h;

	if (!cpu[which])
		need(cpu_load(&cpu[which], names[which], NULL, NULL) == 0);
	if (n >= sizeof(text))
		n = sizeof(text) - 1;
	if (n)
		memcpy(text, data + 1, n);
	text[n] = '\0';
	g = h = cpu[which]->geometry;
	if (page_map_set(&g, text, &err) < 0) {
		need(*err.text);
		return 0;
	}
	page_map_text(again, sizeof(again), &g.page_map);
	need(page_map_set(&h, again, NULL) == 0);
	need(h.page_map.kind == g.page_map.kind &&
	     h.page_map.size == g.page_map.size);
	need(h.page_map.kind != PAGE_MAP_RANDOM ||
	     h.page_map.seed == g.page_map.seed);
	return 0;
}
