/* SPDX-License-Identifier: MIT */
/* Certificates: written and read, refused with a place, found and trusted. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verify/certificate.h"
#include "base/text.h"

static const struct certificate_machine a72 = {
	.provider = "sim", .cpu = "cortex-a72", .isa = "aarch64",
	.microcode = "0x1",
};

static char folder[] = "/tmp/assay-certificate-XXXXXX";
static struct assay handle = { .sysroot = "/nowhere", .cert_dir = folder };

static struct certificate_event events[] = {
	{ .event = "INST_RETIRED", .code = "0x8",
	  .class_ = ASSAY_CLASS_EXACT, .shapes = 9, .good = 9 },
	{ .event = "L1D_CACHE_REFILL", .class_ = ASSAY_CLASS_PROPORTIONAL,
	  .bias = { .number = 1 }, .spread = { .why = "not known" },
	  .shapes = 9, .good = 1, .explains = "twice \"what\" is claimed",
	  .proof = "chase", .fails = "chase elements=16: 4 for 2" },
	{ .event = "L2D_CACHE:ALL", .class_ = ASSAY_CLASS_UNAVAILABLE },
};

static struct certificate made(const char *created)
{
	struct certificate c = { .machine = a72, .event = events, .events = 3 };

	text_copy(c.created, sizeof(c.created), created);
	return c;
}

/* Written under a name of the folder. */
static void put(const char *name, const struct certificate *c)
{
	char path[400];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	if (c)
		assert_int_equal(certificate_write(out, c, NULL), 0);
	else
		fputs("{\n \"schema\": 3\n}\n", out);
	fclose(out);
}

static void test_again(void **state)
{
	struct certificate c = made("2026-01-02T03:04:05Z"), back;
	char path[400];

	(void)state;
	put("a.json", &c);
	snprintf(path, sizeof(path), "%s/a.json", folder);
	assert_int_equal(certificate_read(&back, path, NULL), 0);
	assert_string_equal(back.created, c.created);
	assert_string_equal(back.machine.cpu, "cortex-a72");
	assert_string_equal(back.machine.microcode, "0x1");
	assert_int_equal(back.events, 3);
	assert_int_equal(back.event[1].class_, ASSAY_CLASS_PROPORTIONAL);
	assert_string_equal(back.event[1].explains, events[1].explains);
	assert_null(back.event[1].bias.why);
	assert_true(back.event[1].bias.number == 1);
	assert_non_null(back.event[1].spread.why);
	assert_int_equal(back.event[1].good, 1);
	assert_false(back.old);
	certificate_fini(&back);
}

/* Version 1 is read, and known to be old. */
static void test_old(void **state)
{
	static const char text[] =
		"{\"schema\": \"assay-certificate/1\", \"created\": \"x\",\n"
		"\"machine\": {\"provider\": \"sim\", \"cpu\": \"c\"},\n"
		"\"events\": [{\"event\": \"E\", \"class\": \"dead\",\n"
		"\"shapes\": 1, \"good\": 0}]}";
	struct certificate c;

	(void)state;
	assert_int_equal(certificate_parse(&c, "f", text, strlen(text), NULL),
			 0);
	assert_true(c.old);
	assert_int_equal(c.event[0].class_, ASSAY_CLASS_DEAD);
	certificate_fini(&c);
}

static void refused(const char *text, const char *place, const char *why)
{
	struct certificate c = { .events = 0 };
	struct assay_error err = { 0 };

	assert_int_equal(certificate_parse(&c, "f", text, strlen(text), &err),
			 -ASSAY_EPARSE);
	if (strncmp(err.text, place, strlen(place)) || !strstr(err.text, why))
		fail_msg("%s", err.text);
}

static void test_refuses(void **state)
{
	(void)state;
	refused("{", "f:1:", "expected");
	refused("{\"schema\": \"assay-certificate/9\"}", "f:1:12: error",
		"assay-certificate/1");
	refused("{\"schema\": \"assay-certificate/1\",\n \"created\": 7}",
		"f:2:13: error", "a string");
	refused("{\"schema\": \"assay-certificate/1\", \"created\": \"x\",\n"
		"\"machine\": {\"provider\": \"sim\", \"cpu\": \"c\"},\n"
		"\"events\": [\n {\"event\": \"E\", \"class\": \"good\"}]}",
		"f:4:26: error", "no class");
	refused("{\"schema\": \"assay-certificate/1\", \"created\": \"x\",\n"
		"\"machine\": {\"provider\": \"sim\", \"cpu\": \"c\"},\n"
		"\"events\": [{\"event\": \"E\", \"class\": \"dead\",\n"
		"\"shapes\": 1, \"good\": 2}]}", "f:4:22: error", "good");
}

/* Provider, CPU and hypervisor must be the same; of those the newest. */
static void test_finds(void **state)
{
	struct certificate c = made("2026-01-02T03:04:05Z"), found;
	unsigned unreadable;
	char path[400];

	(void)state;
	put("a.json", &c);
	c = made("2026-01-03T00:00:00Z");
	put("b.json", &c);
	c = made("2026-01-09T00:00:00Z");
	text_copy(c.machine.microcode, sizeof(c.machine.microcode), "0x2");
	put("c.json", &c);
	c = made("2027-01-01T00:00:00Z");
	text_copy(c.machine.cpu, sizeof(c.machine.cpu), "cortex-a76");
	put("d.json", &c);
	put("e.json", NULL);
	assert_true(certificate_find(&found, path, sizeof(path), &handle, &a72,
				     &unreadable));
	assert_string_equal(found.created, "2026-01-03T00:00:00Z");
	assert_non_null(strstr(path, "/b.json"));
	assert_int_equal(unreadable, 1);
	certificate_fini(&found);
}

static void test_saves(void **state)
{
	struct certificate c = made("");
	char path[2][4096];

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(certificate_save(&c, NULL, 0, &handle,
						  path[i], sizeof(path[i]),
						  NULL), 0);
	assert_string_not_equal(path[0], path[1]);
	assert_int_equal(access(path[0], R_OK), 0);
	unlink(path[0]);
	unlink(path[1]);
}

static int begin(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int finish(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	char path[400];

	(void)state;
	for (int i = 0; i < 5; i++) {
		snprintf(path, sizeof(path), "%s/%s.json", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_old),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_finds),
		cmocka_unit_test(test_saves),
	};

	return cmocka_run_group_tests(tests, begin, finish);
}
