/* SPDX-License-Identifier: MIT */
/*
 * Settings that are changed and undone, on a made-up machine below a root of
 * its own: two CPUs with a prefetcher register and a governor each.
 */
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "env/settings/control.h"
#include "remove-tree.h"
#include "env/settings/journal.h"
#include "env/settings/prefetch.h"

#define GOVERNOR "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor"
#define HUGE "sys/kernel/mm/hugepages/hugepages-2048kB/"

static const char cpuinfo[] =
	"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
	"model\t\t: 85\nmodel name\t: made up\nstepping\t: 4\nflags\t: fpu\n";

/* ---- the made-up machine ------------------------------------------------ */

static void put(const char *root, const char *text, const char *format, ...)
{
	char path[1024], *slash;
	va_list args;
	FILE *file;
	int n = snprintf(path, sizeof(path), "%s/", root);

	va_start(args, format);
	vsnprintf(path + n, sizeof(path) - (size_t)n, format, args);
	va_end(args);
	for (slash = strchr(path + n, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void get(char out[256], const char *root, const char *format, ...)
{
	char path[1024];
	va_list args;
	FILE *file;
	int n = snprintf(path, sizeof(path), "%s/", root);

	va_start(args, format);
	vsnprintf(path + n, sizeof(path) - (size_t)n, format, args);
	va_end(args);
	file = fopen(path, "r");
	assert_non_null(file);
	out[fread(out, 1, 255, file)] = '\0';
	fclose(file);
	out[strcspn(out, "\n")] = '\0';
}

static uint64_t reg(const char *root, int cpu, const uint64_t *value)
{
	uint64_t now = 0;
	char path[1024];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%d/msr", root, cpu);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	if (value)
		assert_int_equal(pwrite(fd, value, 8, 0x1a4), 8);
	assert_int_equal(pread(fd, &now, 8, 0x1a4), 8);
	close(fd);
	return now;
}

static const uint64_t untouched = UINT64_C(0x1234500000000006);

static int build(void **state)
{
	char *root = strdup("/tmp/assay-test-XXXXXX");

	assert_non_null(root);
	assert_non_null(mkdtemp(root));
	put(root, cpuinfo, "proc/cpuinfo");
	for (int cpu = 0; cpu < 2; cpu++) {
		put(root, "schedutil\n", GOVERNOR, cpu);
		put(root, "", "dev/cpu/%d/msr", cpu);
		reg(root, cpu, &untouched);
	}
	put(root, "performance schedutil\n", "sys/devices/system/cpu/cpu0/"
	    "cpufreq/scaling_available_governors");
	put(root, "3\n", HUGE "nr_hugepages");
	put(root, "1\n", HUGE "free_hugepages");
	*state = root;
	return 0;
}

static int clear(void **state)
{
	remove_tree(*state);
	free(*state);
	return 0;
}

static void must_be_restored(const char *root)
{
	char text[256];

	for (int cpu = 0; cpu < 2; cpu++) {
		get(text, root, GOVERNOR, cpu);
		assert_string_equal(text, "schedutil");
		assert_true(reg(root, cpu, NULL) == untouched);
	}
	get(text, root, HUGE "nr_hugepages");
	assert_string_equal(text, "3");
	assert_false(journal_there(root));
}

static const struct assay_wishes all = {
	.prefetchers = "off", .governor = "performance", .huge_pages = 4,
};

/* ---- changing and undoing ----------------------------------------------- */

static void everything_and_back(void **state)
{
	const char *root = *state;
	struct control *c;
	char text[256];

	assert_int_equal(control_begin(&c, &all, root, NULL), 0);
	get(text, root, GOVERNOR, 1);
	assert_string_equal(text, "performance");
	get(text, root, HUGE "nr_hugepages");
	assert_string_equal(text, "6");	/* one of three was free */
	assert_true(reg(root, 0, NULL) == (untouched | 0xf));
	assert_true(reg(root, 1, NULL) == (untouched | 0xf));
	assert_string_equal(control_text(c), "governor=performance huge=4 "
			    "prefetchers=off prefetch-check=unchecked");
	assert_true(journal_there(root));
	assert_false(control_left_over(root));
	assert_int_equal(control_end(c, NULL), 0);
	must_be_restored(root);
}

static void a_mask(void **state)
{
	const struct assay_wishes some = { .prefetchers = "0x9" };
	const char *root = *state;
	struct control *c;

	assert_int_equal(control_begin(&c, &some, root, NULL), 0);
	assert_true(reg(root, 0, NULL) == ((untouched & ~0xfull) | 9));
	assert_string_equal(control_text(c), "prefetchers=0x9");
	assert_int_equal(control_end(c, NULL), 0);
	must_be_restored(root);
}

static const struct {
	struct assay_wishes wishes;
	int code;
	const char *why;
} refused[] = {
	{ { .governor = "turbo" }, -ASSAY_EINVAL, "performance schedutil" },
	{ { .governor = "../x" }, -ASSAY_EINVAL, "not the name" },
	{ { .governor = "perfomance" }, -ASSAY_EINVAL,
	  "did you mean 'performance'?" },
	{ { .prefetchers = "of" }, -ASSAY_EINVAL, "did you mean 'off'?" },
	{ { .prefetchers = "0x1f" }, -ASSAY_ERANGE, "0xf" },
	{ { .prefetchers = "0x" }, -ASSAY_EINVAL, "none of on, off" },
	{ { .prefetchers = "-1" }, -ASSAY_EINVAL, "none of on, off" },
	{ { .prefetchers = "" }, -ASSAY_EINVAL, "none of on, off" },
	{ { .nice_given = true, .nice = 20 }, -ASSAY_ERANGE, "19" },
	{ { .realtime = 100 }, -ASSAY_ERANGE, "99" },
	{ { .governor = "performance", .prefetchers = "maybe" },
	  -ASSAY_EINVAL, "none of on, off" },
};

static void refusals_change_nothing(void **state)
{
	struct assay_error err;
	struct control *c;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		err = (struct assay_error){ 0 };
		assert_int_equal(control_begin(&c, &refused[i].wishes, *state,
					       &err), refused[i].code);
		if (!strstr(err.text, refused[i].why))
			fail_msg("row %zu: '%s'", i, err.text);
		must_be_restored(*state);
	}
}

/* Nothing could stop a real-time run that the kernel does not interrupt. */
static void the_only_cpu_is_not_taken_for_ever(void **state)
{
	const struct assay_wishes first = { .realtime = 1 };
	struct assay_error err = { 0 };
	struct control *c;

	put(*state, "-1\n", "proc/sys/kernel/sched_rt_runtime_us");
	put(*state, "0\n", "sys/devices/system/cpu/cpu1/online");
	assert_int_equal(control_begin(&c, &first, *state, &err),
			 -ASSAY_EPERM);
	assert_non_null(strstr(err.text, "the only CPU"));
	put(*state, "1\n", "sys/devices/system/cpu/cpu1/online");
	put(*state, "0\n", "sys/devices/system/cpu/online");
	assert_int_equal(control_begin(&c, &first, *state, &err),
			 -ASSAY_EPERM);
}

/* The second CPU's register is gone: the first one's is put back. */
static void half_a_change_is_undone(void **state)
{
	const struct assay_wishes off = { .prefetchers = "off" };
	struct assay_error err = { 0 };
	struct control *c;
	char path[256];

	snprintf(path, sizeof(path), "%s/dev/cpu/1/msr", (char *)*state);
	unlink(path);
	assert_int_equal(control_begin(&c, &off, *state, &err), -ASSAY_EIO);
	assert_non_null(strstr(err.text, "modprobe msr"));
	assert_true(reg(*state, 0, NULL) == untouched);
	assert_false(journal_there(*state));
}

static void a_failing_restore_is_reported(void **state)
{
	const char *root = *state;
	struct assay_error err = { 0 };
	struct control *c;
	unsigned undone;
	char path[256];

	assert_int_equal(control_begin(&c, &all, root, NULL), 0);
	snprintf(path, sizeof(path), "%s/" GOVERNOR, root, 1);
	unlink(path);
	mkdir(path, 0755);
	assert_int_equal(control_end(c, &err), -ASSAY_EIO);
	assert_non_null(strstr(err.text, "cpu1/cpufreq/scaling_governor"));
	assert_non_null(strstr(err.text, "now: rm "));
	assert_true(reg(root, 1, NULL) == untouched);	/* the rest is back */
	assert_true(control_left_over(root));
	assert_int_equal(control_restore(root, &undone, &err), -ASSAY_EIO);
	rmdir(path);
	put(root, "performance\n", GOVERNOR, 1);
	assert_int_equal(control_restore(root, &undone, &err), 0);
	assert_int_equal(undone, 1);
	must_be_restored(root);
}

static void one_at_a_time(void **state)
{
	struct control *c, *second;
	struct assay_error err = { 0 };

	assert_int_equal(control_begin(&c, &all, *state, NULL), 0);
	assert_int_equal(control_begin(&second, &all, *state, &err),
			 -ASSAY_EPERM);
	assert_non_null(strstr(err.text, "only one may"));
	assert_int_equal(control_end(c, NULL), 0);
	must_be_restored(*state);
}

/* Held until the watcher has ended. */
static void wait_for_watcher(const char *root)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/run/assay/lock", root);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	close(fd);
}

static void die(const char *root, int how)
{
	struct control *c;

	if (control_begin(&c, &all, root, NULL))
		_exit(1);
	if (!how)
		_exit(0);
	signal(how, SIG_DFL);
	raise(how);
	_exit(2);
}

static void death_is_noticed(void **state)
{
	static const int deaths[] = { SIGKILL, SIGTERM, SIGHUP, SIGINT, 0 };
	int status;

	for (size_t i = 0; i < sizeof(deaths) / sizeof(deaths[0]); i++) {
		const pid_t pid = fork();

		if (!pid)
			die(*state, deaths[i]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (deaths[i])
			assert_true(WIFSIGNALED(status));
		else
			assert_int_equal(status, 0);
		wait_for_watcher(*state);
		must_be_restored(*state);
	}
}

/* The process and its watcher are both dead: the journal is what they left. */
static void left_over(const char *root)
{
	const struct setting s[] = {
		{ SETTING_GOVERNOR, 0, "schedutil", "performance" },
		{ SETTING_INTEL_PREFETCH, 1, "0x6", "0xf" },
		{ SETTING_GOVERNOR, 1, "schedutil", "performance" },
	};
	const uint64_t off = untouched | 0xf;
	struct journal j;
	int holder;

	assert_int_equal(journal_lock(&j, root, &holder, NULL), 0);
	assert_int_equal(journal_create(&j, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(journal_add(&j, &s[i], NULL), 0);
	journal_unlock(&j);
	put(root, "performance\n", GOVERNOR, 0);
	reg(root, 1, &off);	/* the third was written down, not made */
}

static void left_overs_are_undone(void **state)
{
	const struct assay_wishes some = { .governor = "performance" };
	struct control *c;
	unsigned undone;

	left_over(*state);
	assert_true(control_left_over(*state));
	assert_int_equal(control_restore(*state, &undone, NULL), 0);
	assert_int_equal(undone, 2);
	must_be_restored(*state);
	left_over(*state);	/* killed between opening a file and writing */
	put(*state, "", GOVERNOR, 0);
	assert_int_equal(control_restore(*state, &undone, NULL), 0);
	must_be_restored(*state);
	left_over(*state);	/* what is found there is not the truth */
	assert_int_equal(control_begin(&c, &some, *state, NULL), 0);
	assert_true(reg(*state, 1, NULL) == untouched);
	assert_int_equal(control_end(c, NULL), 0);
	must_be_restored(*state);
}

/* What somebody has set since stays, with its entry; the others are undone. */
static void other_values_stay(void **state)
{
	const struct assay_wishes some = { .governor = "performance" };
	const uint64_t other = (untouched & ~UINT64_C(0xf)) | 0x3;
	struct assay_error err = { 0 };
	char command[64];
	struct control *c;
	unsigned undone;

	left_over(*state);
	reg(*state, 1, &other);
	assert_int_equal(control_restore(*state, &undone, &err), -ASSAY_EPERM);
	assert_int_equal(undone, 1);
	assert_non_null(strstr(err.text, "intel-prefetch is '0x3'"));
	snprintf(command, sizeof(command), "wrmsr -p 1 0x1a4 0x%llx\n",
		 (unsigned long long)untouched);
	assert_non_null(strstr(err.text, command));
	assert_non_null(strstr(err.text, "now: rm "));
	assert_non_null(strstr(err.text, "/run/assay/journal"));
	assert_true(reg(*state, 1, NULL) == other);
	/* assay's own value, set by somebody else: its entry is gone */
	put(*state, "performance\n", GOVERNOR, 0);
	assert_int_equal(control_begin(&c, &some, *state, &err), -ASSAY_EPERM);
	assert_true(reg(*state, 1, NULL) == other);
	put(*state, "schedutil\n", GOVERNOR, 0);
	reg(*state, 1, &untouched);	/* settled */
	assert_int_equal(control_restore(*state, &undone, &err), 0);
	assert_int_equal(undone, 0);
	assert_false(journal_there(*state));
	must_be_restored(*state);
}

static void traps_are_not_trusted(void **state)
{
	struct assay_error err = { 0 };
	char path[256], link_[256];
	unsigned undone;

	left_over(*state);
	snprintf(path, sizeof(path), "%s/run/assay/journal", (char *)*state);
	snprintf(link_, sizeof(link_), "%s/other", (char *)*state);
	chmod(path, 0666);
	assert_int_equal(control_restore(*state, &undone, &err), -ASSAY_EPERM);
	assert_non_null(strstr(err.text, "not trusted"));
	chmod(path, 0600);
	assert_int_equal(link(path, link_), 0);
	assert_int_equal(control_restore(*state, &undone, &err), -ASSAY_EPERM);
	unlink(path);
	assert_int_equal(symlink(link_, path), 0);
	assert_int_not_equal(control_restore(*state, &undone, &err), 0);
	assert_true(reg(*state, 1, NULL) == (untouched | 0xf));
	unlink(path);
	assert_int_equal(rename(link_, path), 0);
	assert_int_equal(control_restore(*state, &undone, &err), 0);
	must_be_restored(*state);
}

static void priorities(void **state)
{
	const int before = getpriority(PRIO_PROCESS, 0);
	const struct assay_wishes lower = {
		.nice_given = true, .nice = before < 19 ? before + 1 : 19,
	};
	struct control *c;

	assert_int_equal(control_begin(&c, &lower, *state, NULL), 0);
	assert_int_equal(getpriority(PRIO_PROCESS, 0), lower.nice);
	if (control_end(c, NULL))	/* an ordinary user may not go back */
		skip_since("an ordinary user may not go back to nice %d",
			   before);
	assert_int_equal(getpriority(PRIO_PROCESS, 0), before);
}

static void pinned_and_back(void **state)
{
	struct assay_wishes on = { .pin_given = true };
	struct assay_error err = { 0 };
	cpu_set_t before, after;
	struct control *c;

	sched_getaffinity(0, sizeof(before), &before);
	for (on.pin = CPU_SETSIZE - 1; !CPU_ISSET(on.pin, &before); on.pin--)
		;
	assert_int_equal(control_begin(&c, &on, *state, NULL), 0);
	assert_int_equal(sched_getcpu(), on.pin);
	sched_getaffinity(0, sizeof(after), &after);
	assert_int_equal(CPU_COUNT(&after), 1);
	assert_int_equal(control_end(c, NULL), 0);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
	on.pin = 100000;
	assert_int_equal(control_begin(&c, &on, *state, &err), -ASSAY_ERANGE);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
}

/* ---- journals as text --------------------------------------------------- */

#define HEAD "assay-journal 1\n"

/* What a line would be, with the right sum. */
static void sealed(char out[256], const char *body)
{
	uint32_t sum = 2166136261u;

	for (const char *c = body; *c; c++)
		sum = (sum ^ (unsigned char)*c) * 16777619u;
	snprintf(out, 256, "%s%08" PRIx32 "\n", body, sum);
}

static const struct { const char *body; bool good; } lines[] = {
	{ "governor 0 schedutil performance ", true },
	{ "intel-prefetch 1 0x0 0xf ", true },
	{ "huge-pages -1 0 128 ", true },
	{ "amd-prefetch 0 0x0 0x2f ", true },
	{ "k10-prefetch 0 0x2000 0x0 ", true },
	{ "governor -1 schedutil performance ", false },
	{ "governor 4096 schedutil performance ", false },
	{ "governor 0 ../../x performance ", false },
	{ "governor 0/../../.. schedutil performance ", false },
	{ "huge-pages 0 0 128 ", false },
	{ "huge-pages -1 0 99999999999 ", false },
	{ "intel-prefetch 0 0x0 0x10 ", false },
	{ "intel-prefetch 0 0 15 ", false },
	{ "k10-prefetch 0 0x1 0x0 ", false },
	{ "msr 0 0x0 0xf ", false },
	{ "/etc/passwd 0 a b ", false },
	{ "governor 0 schedutil ", false },
	{ "governor 0 schedutil performance more ", false },
};

static void journal_lines(void **state)
{
	char text[512], line[256];
	struct setting s[4];
	unsigned damaged;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		sealed(line, lines[i].body);
		snprintf(text, sizeof(text), "%s%s", HEAD, line);
		if (journal_parse(s, 4, text, strlen(text), &damaged) !=
		    (size_t)lines[i].good ||
		    damaged != (lines[i].good ? 0 : 2))
			fail_msg("'%s': %s", lines[i].body,
				 lines[i].good ? "refused" : "taken");
	}
}

/* Cut anywhere, it is a journal of fewer changes and never a damaged one;
 * changed anywhere, it is damaged. */
static void cut_and_changed(void **state)
{
	char text[512] = HEAD, line[256];
	struct setting s[4];
	unsigned damaged;
	size_t all_of_it;

	(void)state;
	sealed(line, lines[0].body);
	strcat(text, line);
	sealed(line, lines[1].body);
	strcat(text, line);
	all_of_it = strlen(text);
	for (size_t n = 0; n <= all_of_it; n++) {
		const size_t got = journal_parse(s, 4, text, n, &damaged);

		assert_int_equal(damaged, 0);
		assert_true(got <= 2 && (got == 2) == (n == all_of_it));
	}
	for (size_t n = 0; n + 1 < all_of_it; n++) {
		const char kept = text[n];

		text[n] ^= 4;
		journal_parse(s, 4, text, all_of_it, &damaged);
		assert_true(damaged);
		text[n] = kept;
	}
}

static void which_register(void **state)
{
	static const struct {
		const char *vendor;
		int family, model;
		const char *probe;
		int kind;	/* -1: none */
	} rows[] = {
		{ "GenuineIntel", 6, 0x55, "", SETTING_INTEL_PREFETCH },
		{ "GenuineIntel", 6, 0x17, "", -1 },
		{ "AuthenticAMD", 16, 4, "", SETTING_K10_PREFETCH },
		{ "AuthenticAMD", 25, 1, "", -1 },
		{ "AuthenticAMD", 25, 17,
		  "cpuid 80000021 0 2000 0 0 0\n", SETTING_AMD_PREFETCH },
		{ "HygonGenuine", 24, 1, "", -1 },
	};
	struct probe probe;
	char text[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum setting_kind kind;
		int rc;

		snprintf(text, sizeof(text), "vendor_id\t: %s\ncpu family\t: "
			 "%d\nmodel\t\t: %d\n", rows[i].vendor, rows[i].family,
			 rows[i].model);
		put(*state, text, "proc/cpuinfo");
		put(*state, rows[i].probe, "assay-probe");
		probe_init_quiet(&probe, *state);
		rc = setting_prefetch_kind(&kind, &probe, NULL);
		if (rc ? rows[i].kind != -1 : (int)kind != rows[i].kind)
			fail_msg("row %zu", i);
	}
}

static void in_order_and_not(void **state)
{
	(void)state;
	assert_int_equal(prefetch_judge(70, 75, 0.3), PREFETCH_ARE_OFF);
	assert_int_equal(prefetch_judge(80, 75, 0.3), PREFETCH_ARE_OFF);
	assert_int_equal(prefetch_judge(12, 75, 0.3), PREFETCH_ARE_ON);
	assert_int_equal(prefetch_judge(45, 75, 0.3), PREFETCH_NOT_CLEAR);
	assert_int_equal(prefetch_judge(2, 2, 0.3), PREFETCH_NOT_CLEAR);
	assert_int_equal(prefetch_judge(0, 75, 0.3), PREFETCH_NOT_CLEAR);
}

#define on_a_machine(test) cmocka_unit_test_setup_teardown(test, build, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_a_machine(everything_and_back),
		on_a_machine(a_mask),
		on_a_machine(refusals_change_nothing),
		on_a_machine(the_only_cpu_is_not_taken_for_ever),
		on_a_machine(half_a_change_is_undone),
		on_a_machine(a_failing_restore_is_reported),
		on_a_machine(one_at_a_time),
		on_a_machine(death_is_noticed),
		on_a_machine(left_overs_are_undone),
		on_a_machine(other_values_stay),
		on_a_machine(traps_are_not_trusted),
		on_a_machine(priorities),
		on_a_machine(pinned_and_back),
		on_a_machine(which_register),
		cmocka_unit_test(journal_lines),
		cmocka_unit_test(cut_and_changed),
		cmocka_unit_test(in_order_and_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
