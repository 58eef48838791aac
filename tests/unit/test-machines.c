/* SPDX-License-Identifier: MIT */
/*
 * Machines that are not here: what the env room says of each tree in
 * tests/machines, against the text beside it. ASSAY_UPDATE=1 rewrites the
 * texts.
 *
 * NAME.tree holds small files one after the other: "=== /path", then the
 * text. Lines with '#' before the first are remarks. NAME.expected is the
 * outcome.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "env/doctor/doctor.h"
#include "remove-tree.h"
#include "env/env.h"
#include "env/machine/machine.h"
#include "env/machine/topology.h"

#define PATH 768

static void machines_folder(char out[PATH])
{
	const char *source = getenv("ASSAY_SOURCE");

	snprintf(out, PATH, "%s/tests/machines", source ? source : ".");
}

/* ---- unpacking ---------------------------------------------------------- */

static FILE *create(const char *root, const char *path)
{
	char full[PATH], *slash;
	FILE *file;

	path += strspn(path, "/");
	assert_null(strstr(path, ".."));
	snprintf(full, sizeof(full), "%s/%s", root, path);
	full[strcspn(full, "\n")] = '\0';
	file = fopen(full, "w");
	if (file)
		return file;
	for (slash = strchr(full + strlen(root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	return file;
}

static void unpack(const char *root, const char *tree)
{
	FILE *in = fopen(tree, "r"), *out = NULL;
	char line[8192];

	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		if (!strncmp(line, "=== ", 4)) {
			if (out)
				fclose(out);
			out = create(root, line + 4);
		} else if (out) {
			fputs(line, out);
		}
	}
	if (out)
		fclose(out);
	fclose(in);
}

/* ---- telling ------------------------------------------------------------ */

static void tell_cache(FILE *out, const char *name,
		       const struct cache_geometry *c)
{
	if (c->present)
		fprintf(out, "%-5s %u KiB, %u ways, %u sets, line %u\n", name,
			(unsigned)(cache_bytes(c) >> 10), c->ways, c->sets,
			c->line_bytes);
	else
		fprintf(out, "%-5s not known\n", name);
}

static void tell_tlb(FILE *out, const char *name, const struct tlb_geometry *t)
{
	if (t->present)
		fprintf(out, "%-5s %u entries, %u ways\n", name, t->entries,
			t->ways);
	else
		fprintf(out, "%-5s not known\n", name);
}

static int tell_finding(void *ctx, const struct assay_row *row)
{
	const struct assay_field *f = row->field;
	FILE *out = ctx;

	if (!strcmp(row->type, "answer"))
		return fprintf(out, "answer: %s\n     next: %s\n", f[0].text,
			       f[3].text) < 0;
	fprintf(out, "%-4s %s: %s: %s\n", f[2].text, f[0].text, f[1].text,
		f[3].text);
	if (f[4].text[0])
		fprintf(out, "     so: %s\n", f[4].text);
	if (f[5].text[0])
		fprintf(out, "     do: %s\n", f[5].text);
	return 0;
}

static void tell(FILE *out, const char *root)
{
	struct assay_machine m;
	struct geometry g;
	bool hardware;

	assert_int_equal(env_machine(&m, root, NULL), 0);
	fprintf(out, "%s: %s, %s, Linux %s, hypervisor '%s'\n", m.host, m.cpu,
		m.isa, m.kernel, m.hypervisor);
	assert_int_equal(env_geometry(&g, root, NULL), 0);
	tell_cache(out, "L1d", &g.l1d);
	tell_cache(out, "L1i", &g.l1i);
	tell_cache(out, "L2", &g.l2);
	tell_cache(out, "L3", &g.l3);
	tell_tlb(out, "dTLB", &g.dtlb);
	tell_tlb(out, "iTLB", &g.itlb);
	tell_tlb(out, g.split_l2tlb ? "L2dTLB" : "L2TLB", &g.l2tlb);
	if (g.split_l2tlb)
		tell_tlb(out, "L2iTLB", &g.l2itlb);
	assert_int_equal(env_doctor(root, &hardware, tell_finding, out, NULL),
			 0);
	fprintf(out, "hardware events can be counted: %s\n",
		hardware ? "yes" : "no");
}

/* ---- comparing ---------------------------------------------------------- */

static char *entire_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 16);

	assert_non_null(text);
	if (file) {
		if (!fread(text, 1, (1 << 16) - 1, file))
			text[0] = '\0';
		fclose(file);
	}
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static unsigned compare(const char *name, const char *got, const char *path)
{
	const char *update = getenv("ASSAY_UPDATE");
	char *expected;
	unsigned line = 1;
	size_t i;

	if (update && update[0] == '1') {
		write_file(path, got);
		return 0;
	}
	expected = entire_file(path);
	for (i = 0; got[i] && got[i] == expected[i]; i++)
		line += got[i] == '\n';
	if (got[i] == expected[i]) {
		free(expected);
		return 0;
	}
	print_error("%s: differs from line %u on; got:\n%s\n", name, line,
		    got);
	free(expected);
	return 1;
}

static unsigned one_machine(const char *folder, const char *name)
{
	char root[] = "/tmp/assay-test-XXXXXX", path[PATH + 300];
	char *got = NULL;
	size_t bytes;
	unsigned wrong;
	FILE *out;

	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/%s.tree", folder, name);
	unpack(root, path);
	out = open_memstream(&got, &bytes);
	assert_non_null(out);
	tell(out, root);
	fclose(out);
	snprintf(path, sizeof(path), "%s/%s.expected", folder, name);
	wrong = compare(name, got, path);
	free(got);
	remove_tree(root);
	return wrong;
}

static int is_tree(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".tree");
}

static void recorded_machines(void **ctx)
{
	struct dirent **entry;
	char folder[PATH];
	unsigned wrong = 0;
	int n;

	(void)ctx;
	machines_folder(folder);
	n = scandir(folder, &entry, is_tree, alphasort);
	assert_true(n >= 7);
	for (int i = 0; i < n; i++) {
		*strrchr(entry[i]->d_name, '.') = '\0';
		wrong += one_machine(folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	assert_int_equal(wrong, 0);
}

static void a_machine_without_anything(void **ctx)
{
	struct assay_machine m;
	struct geometry g;
	bool hardware = true;
	FILE *out = fopen("/dev/null", "w");

	(void)ctx;
	assert_non_null(out);
	assert_int_equal(env_machine(&m, "/nonexistent", NULL), 0);
	assert_string_equal(m.cpu, "unknown CPU");
	assert_int_equal(env_geometry(&g, "/nonexistent", NULL), 0);
	assert_false(g.l1d.present);
	assert_int_equal(env_doctor("/nonexistent", &hardware, tell_finding,
				    out, NULL), 0);
	assert_false(hardware);
	fclose(out);
}

/* A machine by what it says of itself. */
static void geometry_of(struct geometry *g, const char *text)
{
	char root[] = "/tmp/assay-test-XXXXXX", tree[PATH];

	memset(g, 0, sizeof(*g));
	assert_non_null(mkdtemp(root));
	snprintf(tree, sizeof(tree), "%s/tree", root);
	write_file(tree, text);
	unpack(root, tree);
	assert_int_equal(env_geometry(g, root, NULL), 0);
	remove_tree(root);
}

/* From Zen 5 on AMD counts entries by 32 and says so, if it is let. */
static const struct { unsigned family; const char *leaf; unsigned entries; }
second_level[] = {
	{ 25, "", 128 },
	{ 25, "cpuid 80000021 0 204 0 0 0\n", 128 },
	{ 26, "cpuid 80000021 0 4204 0 0 0\n", 4096 },
	{ 26, "cpuid 80000021 0 204 0 0 0\n", 0 },
	{ 26, "", 0 },
};

static void entries_by_32(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(second_level) / sizeof(*second_level);
	     i++) {
		struct geometry g;
		char text[512];

		snprintf(text, sizeof(text), "=== /assay-probe\n"
			 "cpuid 80000006 0 40802040 60804040 4008140 c009140\n"
			 "%s=== /proc/cpuinfo\nvendor_id : AuthenticAMD\n"
			 "cpu family : %u\n", second_level[i].leaf,
			 second_level[i].family);
		geometry_of(&g, text);
		if (g.l2tlb.entries != second_level[i].entries)
			fail_msg("row %zu: %u entries", i, g.l2tlb.entries);
	}
}

static void has(const struct tlb_geometry *t, uint32_t entries, uint32_t ways)
{
	assert_int_equal(t->present, entries > 0);
	assert_int_equal(t->entries, entries);
	assert_int_equal(t->ways, ways);
}

/* Large pages have entries of their own, or share those of small ones. */
static void entries_by_page(void **ctx)
{
	struct geometry g;

	(void)ctx;
	geometry_of(&g, "=== /assay-probe\n"
		    "cpuid 18 0 5 0 0 0\n"
		    "cpuid 18 1 0 40001 10 21\n"	/* data: 4 KiB */
		    "cpuid 18 2 0 40006 8 21\n"	/* 2 and 4 MiB */
		    "cpuid 18 3 0 80008 1 121\n"	/* 1 GiB */
		    "cpuid 18 4 0 c0003 80 43\n"	/* second level */
		    "cpuid 18 5 0 80001 10 22\n"	/* code: 4 KiB */
		    "=== /proc/cpuinfo\nvendor_id : GenuineIntel\n");
	has(&g.dtlb, 64, 4);
	has(&g.tlbs[PAGE_4K].dtlb, 64, 4);
	has(&g.tlbs[PAGE_2M].dtlb, 32, 4);
	has(&g.tlbs[PAGE_1G].dtlb, 8, 8);
	has(&g.tlbs[PAGE_2M].l2tlb, 1536, 12);
	has(&g.tlbs[PAGE_1G].l2tlb, 0, 0);
	has(&g.tlbs[PAGE_4K].itlb, 128, 8);
	has(&g.tlbs[PAGE_2M].itlb, 0, 0);
	has(&g.l2itlb, 0, 0);
	assert_false(g.split_l2tlb);
	geometry_of(&g, "=== /assay-probe\n"
		    "cpuid 80000005 0 ff40ff20 ff60ff40 0 0\n"
		    "cpuid 80000006 0 48002200 68004200 0 0\n"
		    "cpuid 80000019 0 f010f008 21000000 0 0\n"
		    "=== /proc/cpuinfo\nvendor_id : AuthenticAMD\n"
		    "cpu family : 25\n");
	has(&g.tlbs[PAGE_4K].dtlb, 96, 96);
	has(&g.tlbs[PAGE_2M].dtlb, 64, 64);
	has(&g.tlbs[PAGE_2M].itlb, 32, 32);
	has(&g.tlbs[PAGE_2M].l2tlb, 2048, 4);
	has(&g.tlbs[PAGE_1G].dtlb, 16, 16);
	has(&g.tlbs[PAGE_1G].itlb, 8, 8);
	has(&g.tlbs[PAGE_1G].l2tlb, 256, 2);
	has(&g.l2itlb, 512, 4);
	has(&g.tlbs[PAGE_2M].l2itlb, 512, 2);
	has(&g.tlbs[PAGE_1G].l2itlb, 0, 0);
	assert_true(g.split_l2tlb);
	geometry_of(&g, "=== /assay-probe\n"
		    "cpuid 18 0 2 0 0 0\n"
		    "cpuid 18 1 0 40001 40 41\n"	/* second level of data */
		    "cpuid 18 2 0 80001 20 42\n"	/* ... and of code */
		    "=== /proc/cpuinfo\nvendor_id : GenuineIntel\n");
	has(&g.l2tlb, 256, 4);
	has(&g.l2itlb, 256, 8);
	assert_true(g.split_l2tlb);
	geometry_of(&g, "=== /assay-probe\n"
		    "cpuid 18 0 2 0 0 0\n"
		    "cpuid 18 1 0 40001 10 24\n"	/* loads: 4 KiB */
		    "cpuid 18 2 0 10000f 10 125\n"	/* stores: any page */
		    "=== /proc/cpuinfo\nvendor_id : GenuineIntel\n");
	has(&g.dtlb, 64, 4);
	has(&g.store_dtlb, 256, 256);
	has(&g.tlbs[PAGE_2M].store_dtlb, 256, 256);
	has(&g.tlbs[PAGE_1G].store_dtlb, 256, 256);
	has(&g.tlbs[PAGE_2M].dtlb, 0, 0);
}

static const struct {
	const char *vendor;
	int family, model;
	const char *flags;
	unsigned l1d_kib, l2_kib;
	const char *why;	/* a part of it; NULL: not masked */
} identities[] = {
	{ "GenuineIntel", 6, 167, " avx2 amx_tile ", 48, 512, "no amx_tile" },
	{ "GenuineIntel", 6, 167, " avx2 ", 48, 2048, "512 KiB L2" },
	{ "GenuineIntel", 6, 167, " avx2 ", 48, 512, NULL },
	{ "GenuineIntel", 6, 85, " avx512f avx512_vnni ", 32, 1024, NULL },
	{ "GenuineIntel", 6, 85, " avx512f gfni ", 32, 1024, "no gfni" },
	{ "GenuineIntel", 6, 85, " avx512f ", 48, 1024, "32 KiB L1d" },
	{ "GenuineIntel", 6, 85, " avx512f ", 0, 0, NULL },
	{ "GenuineIntel", 6, 250, " amx_tile ", 48, 2048, NULL },
	{ "GenuineIntel", 6, 79, " avx512fx ", 32, 256, NULL },
	{ "AuthenticAMD", 25, 1, " avx512f ", 32, 512, "Zen 3" },
	{ "AuthenticAMD", 25, 17, " avx512f ", 32, 1024, NULL },
	{ "HygonGenuine", 24, 1, " avx512f ", 32, 1024, NULL },
};

static void masked_identities(void **ctx)
{
	char why[160];

	(void)ctx;
	for (size_t i = 0; i < sizeof(identities) / sizeof(identities[0]);
	     i++) {
		struct machine_id id = { .isa = MACHINE_X86,
			.family = identities[i].family,
			.model = identities[i].model };
		bool masked;

		strcpy(id.vendor, identities[i].vendor);
		strcpy(id.flags, identities[i].flags);
		masked = machine_masked(why, sizeof(why), &id,
					identities[i].l1d_kib,
					identities[i].l2_kib);
		if (masked != (identities[i].why != NULL) ||
		    (masked && !strstr(why, identities[i].why)))
			fail_msg("row %zu: %d '%s'", i, masked, why);
	}
}

static const struct { unsigned bits; const char *text; } throttled[] = {
	{ 0, "" },
	{ 0x1, "the voltage is too low" },
	{ 0x4, "it is throttled" },
	{ 0x50000, "the voltage was too low; it was throttled" },
	{ 0x80008, "the soft temperature limit is reached; the soft "
	  "temperature limit was reached" },
	{ 0x20002, "the clock is capped; the clock was capped" },
	{ 0xfff0, "" },
};

static void the_pi_s_bits(void **ctx)
{
	char text[512];

	(void)ctx;
	for (size_t i = 0; i < sizeof(throttled) / sizeof(throttled[0]); i++) {
		doctor_pi_text(text, sizeof(text), throttled[i].bits);
		assert_string_equal(text, throttled[i].text);
	}
	assert_true(doctor_pi_text(text, 8, 0xf000f));
	assert_int_equal(strlen(text), 7);	/* cut */
}

static const struct {
	unsigned midr;
	const char *flags;
	unsigned l1d_kib;
	const char *why;	/* a part of it; NULL: not masked */
} arm_identities[] = {
	{ 0x410fd083, " fp asimd crc32 ", 32, NULL },
	{ 0x410fd083, " fp asimd atomics ", 32, "no atomics" },
	{ 0x410fd083, " fp asimd ", 64, "32 KiB L1d" },
	{ 0x410fd083, " fp asimd ", 0, NULL },
	{ 0x413fd0c1, " fp atomics sve ", 64, "no sve" },
	{ 0x411fd401, " fp atomics sve ", 64, NULL },
	{ 0x410fd034, " fp ", 16, NULL },
	{ 0x511f0011, " fp sve ", 96, NULL },
};

static void masked_arm_identities(void **ctx)
{
	char why[160];

	(void)ctx;
	for (size_t i = 0;
	     i < sizeof(arm_identities) / sizeof(arm_identities[0]); i++) {
		struct machine_id id = { .isa = MACHINE_ARM,
					 .midr = arm_identities[i].midr };
		bool masked;

		strcpy(id.flags, arm_identities[i].flags);
		masked = machine_masked(why, sizeof(why), &id,
					arm_identities[i].l1d_kib, 0);
		if (masked != (arm_identities[i].why != NULL) ||
		    (masked && !strstr(why, arm_identities[i].why)))
			fail_msg("row %zu: %d '%s'", i, masked, why);
	}
}

/* ---- hostile machines --------------------------------------------------- */

static uint32_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

/* Some bytes of the contents, never of the paths. */
static void spoil(char *text, uint64_t *state)
{
	static const char bytes[] = "0-9,:x[]()\n\t ~;f%\\\377";

	for (char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (char *c = line; *c && *c != '\n'; c++)
			if (strncmp(line, "=== ", 4) && !(draw(state) % 40))
				*c = bytes[draw(state) % (sizeof(bytes) - 1)];
	}
}

static int ignore(void *ctx, const struct assay_row *row)
{
	(void)row;
	++*(unsigned *)ctx;
	return 0;
}

/* Whatever stands in /proc and /sys: findings, and no crash. */
static void visit(const char *root)
{
	struct topology shape;
	struct assay_machine m;
	struct geometry g;
	unsigned findings = 0;
	bool hardware;

	assert_int_equal(env_machine(&m, root, NULL), 0);
	assert_int_equal(env_geometry(&g, root, NULL), 0);
	env_cpuid_geometry(&g, root);
	topology_read(&shape, root);
	assert_int_equal(env_doctor(root, &hardware, ignore, &findings, NULL),
			 0);
	assert_true(findings > 5);
}

static void spoilt_machines(void **ctx)
{
	static const char *const names[] = { "xeon-gold-6148", "epyc-7763",
		"raspberry-pi-4", "container-without-sys" };
	char folder[PATH], path[PATH + 64], spoilt[PATH];
	uint64_t state = 1;

	(void)ctx;
	machines_folder(folder);
	for (int round = 0; round < 12; round++) {
		char root[] = "/tmp/assay-test-XXXXXX";
		char *tree;

		assert_non_null(mkdtemp(root));
		snprintf(path, sizeof(path), "%s/%s.tree", folder,
			 names[round % 4]);
		tree = entire_file(path);
		spoil(tree, &state);
		snprintf(spoilt, sizeof(spoilt), "%s/tree", root);
		write_file(spoilt, tree);
		free(tree);
		unpack(root, spoilt);
		visit(root);
		remove_tree(root);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_machines),
		cmocka_unit_test(a_machine_without_anything),
		cmocka_unit_test(entries_by_32),
		cmocka_unit_test(entries_by_page),
		cmocka_unit_test(masked_identities),
		cmocka_unit_test(the_pi_s_bits),
		cmocka_unit_test(masked_arm_identities),
		cmocka_unit_test(spoilt_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
