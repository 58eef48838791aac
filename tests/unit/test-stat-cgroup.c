/* SPDX-License-Identifier: MIT */
/*
 * Control groups: found by name below made-up roots, and counted where this
 * user may make one.
 */
#define _GNU_SOURCE	/* hasmntopt */
#include <fcntl.h>
#include <mntent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#include "stat/stat.h"

static char folder[64];

static void path_of(char out[256], const char *name)
{
	snprintf(out, 256, "%s/%s", folder, name);
}

static void make(const char *name)
{
	char path[256];

	path_of(path, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void mounts(const char *lines)
{
	char path[256];
	FILE *file;

	path_of(path, "proc/mounts");
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(lines, file);
	fclose(file);
}

static const char v2[] = "none /g2 cgroup2 rw,relatime 0 0\n";
static const char v1[] = "cgroup /cpu cgroup rw,cpu 0 0\n"
			 "cgroup /g\\0401 cgroup rw,perf_event 0 0\n";

/* 0 or the error; what was opened must be `expected`. */
static int look(const char *name, const char *expected, struct assay_error *err)
{
	char path[256];
	struct stat opened, meant;
	int fd = -1;
	int rc = stat_cgroup_open(&fd, name, folder, err);

	if (rc)
		return rc;
	path_of(path, expected);
	assert_int_equal(fstat(fd, &opened), 0);
	assert_int_equal(stat(path, &meant), 0);
	assert_true(opened.st_ino == meant.st_ino);
	close(fd);
	return 0;
}

static void paths_are_below_the_hierarchy(void **ctx)
{
	struct assay_error err = { 0 };

	(void)ctx;
	mounts(v2);
	assert_int_equal(look("/user.slice/one", "g2/user.slice/one", &err), 0);
	assert_int_equal(look("user.slice", "g2/user.slice", &err), 0);
	assert_int_equal(look("/g2/user.slice", "g2/user.slice", &err), 0);
}

static void version_1_counts_where_it_is_mounted(void **ctx)
{
	char both[256];
	struct assay_error err = { 0 };

	(void)ctx;
	snprintf(both, sizeof(both), "%s%s", v2, v1);
	mounts(both);
	assert_int_equal(look("/old", "g 1/old", &err), 0);
	snprintf(both, sizeof(both), "%s%s", v1, v2);
	mounts(both);
	assert_int_equal(look("/old", "g 1/old", &err), 0);
}

static void lists_are_of_groups_apart_from_each_other(void **ctx)
{
	struct stat_spots spots = { 0 };
	struct assay_error err = { 0 };

	(void)ctx;
	mounts(v2);
	assert_int_equal(stat_cgroups_open(&spots, "/user.slice,/two", folder,
					   &err), 0);
	assert_int_equal(spots.cgroups, 2);
	assert_string_equal(spots.cgroup[0].name, "/user.slice");
	assert_string_equal(spots.cgroup[1].name, "/two");
	stat_spots_fini(&spots);
	assert_int_equal(stat_cgroups_open(&spots, "/two,user.slice/one,"
					   "user.slice", folder, &err),
			 -ASSAY_EINVAL);
	assert_non_null(strstr(err.text, "'user.slice/one' is inside "
			       "'user.slice'"));
	stat_spots_fini(&spots);
	assert_int_equal(stat_cgroups_open(&spots, "two,/two", folder, &err),
			 -ASSAY_EINVAL);
	assert_non_null(strstr(err.text, "'/two' is the same as 'two'"));
	stat_spots_fini(&spots);
	assert_int_equal(stat_cgroups_open(&spots, "/two,", folder, &err),
			 -ASSAY_EINVAL);
	stat_spots_fini(&spots);
}

static void what_is_wrong_is_said(void **ctx)
{
	struct assay_error err = { 0 };

	(void)ctx;
	mounts(v2);
	assert_int_equal(look("/user.slise", "", &err), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "below /g2"));
	assert_non_null(strstr(err.text, "did you mean 'user.slice'?"));
	assert_int_equal(look("", "", &err), -ASSAY_EINVAL);
	mounts("cgroup /cpu cgroup rw,cpu 0 0\ngarbage\n\n");
	assert_int_equal(look("/user.slice", "", &err), -ASSAY_EUNAVAIL);
	assert_non_null(strstr(err.text, "mount -t cgroup2"));
}

/* ---- through the kernel --------------------------------------------------- */

static const char no_group[] = "no control group can be made here: no cgroup2 "
	"or perf_event hierarchy is mounted, or this user may not write there";

/* A new group where this user may make one; false: nowhere. */
static bool make_group(char out[256], const char *name)
{
	FILE *file = setmntent("/proc/mounts", "re");
	const struct mntent *m;
	bool made = false;

	while (file && !made && (m = getmntent(file))) {
		if (strcmp(m->mnt_type, "cgroup2") != 0 &&
		    !hasmntopt(m, "perf_event"))
			continue;
		snprintf(out, 256, "%.150s/assay-test-%s-%d", m->mnt_dir, name,
			 (int)getpid());
		made = mkdir(out, 0700) == 0;
	}
	if (file)
		endmntent(file);
	return made;
}

/* Page faults: of all, and of up to two groups. */
struct faults { double all, group[2]; unsigned groups; };

static int keep(void *ctx, const struct assay_stat_result *r)
{
	const struct assay_value *v = &r->count[0].value;
	struct faults *faults = ctx;

	if (r->kind == ASSAY_STAT_CGROUP && faults->groups < 2)
		faults->group[faults->groups++] = v->why ? -1 : v->number;
	else
		faults->all = v->why ? -1 : v->number;
	return 0;
}

/* Skips where the kernel cannot. */
static void count(struct faults *out, const struct assay_stat *stat)
{
	struct assay_error err = { 0 };
	struct assay *assay;
	int rc, status;

	*out = (struct faults){ .all = -1 };
	assert_int_equal(assay_open(&assay, NULL, &err), 0);
	rc = assay_stat(assay, stat, keep, out, &status, &err);
	assay_close(assay);
	if (rc == -ASSAY_EUNAVAIL || status) {
		print_message("# %s\n", rc ? err.text :
			      "no process may enter a new control group");
		out->all = -2;
		return;
	}
	assert_int_equal(rc, 0);
}

static void only_the_group_is_counted(void **ctx)
{
	char group[256];
	/* Touches 20000 pages outside of the group, and 2000 inside of it. */
	char *program[] = {
		"sh", "-c", "\"$1\" touch 20000 && echo $$ >\"$0\"/cgroup.procs"
		" && exec \"$1\" touch 2000", group, getenv("STAT_LOAD"), NULL
	};
	const struct assay_stat stat = {
		.program = program, .cgroup = group, .events = "page-faults",
	};
	struct faults faults;

	(void)ctx;
	if (!make_group(group, "one")) 
		skip_since("%s", no_group);
	count(&faults, &stat);
	rmdir(group);
	if (faults.all == -2)
		skip();
	assert_true(faults.all >= 2000);
	assert_true(faults.all < 20000);
	assert_int_equal(faults.groups, 0);
}

static void each_group_is_counted_by_itself(void **ctx)
{
	char one[256], two[256], both[520];
	/* 2000 pages in one group, 6000 in the other. */
	char *program[] = {
		"sh", "-c", "(echo 0 >\"$0\"/cgroup.procs && exec \"$2\" touch "
		"2000) && echo 0 >\"$1\"/cgroup.procs && exec \"$2\" touch "
		"6000", one, two, getenv("STAT_LOAD"), NULL
	};
	const struct assay_stat stat = {
		.program = program, .cgroup = both, .events = "page-faults",
	};
	struct faults faults;

	(void)ctx;
	if (!make_group(one, "1") || !make_group(two, "2")) 
		skip_since("%s", no_group);
	snprintf(both, sizeof(both), "%s,%s", one, two);
	count(&faults, &stat);
	rmdir(one);
	rmdir(two);
	if (faults.all == -2)
		skip();
	assert_int_equal(faults.groups, 2);
	assert_true(faults.group[0] >= 2000 && faults.group[0] < 6000);
	assert_true(faults.group[1] >= 6000);
	assert_true(faults.group[0] + faults.group[1] == faults.all);
}

/* ---- */

static const char *const folders[] = {
	"proc", "g2", "g2/user.slice", "g2/user.slice/one", "g2/two", "g 1",
	"g 1/old",
};

static int make_folder(void **ctx)
{
	(void)ctx;
	snprintf(folder, sizeof(folder), "/tmp/assay-cgroup-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		make(folders[i]);
	return 0;
}

static int remove_folder(void **ctx)
{
	char path[256];

	(void)ctx;
	path_of(path, "proc/mounts");
	unlink(path);
	for (size_t i = sizeof(folders) / sizeof(folders[0]); i-- > 0;) {
		path_of(path, folders[i]);
		rmdir(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_below_the_hierarchy),
		cmocka_unit_test(version_1_counts_where_it_is_mounted),
		cmocka_unit_test(lists_are_of_groups_apart_from_each_other),
		cmocka_unit_test(each_group_is_counted_by_itself),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(only_the_group_is_counted),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
