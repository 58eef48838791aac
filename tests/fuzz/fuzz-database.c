/* SPDX-License-Identifier: MIT */
/*
 * A database of any bytes is refused with a reason, or gives runs, lines and
 * tables, to a fleet too; and it stays as it was.
 */
#include "fuzz.h"

#include <stdio.h>
#include <unistd.h>

#include "assay.h"
#include "assay/fleet.h"
#include "database/database.h"

static char path[] = "/tmp/fuzz-database-XXXXXX";

static void put(const uint8_t *data, size_t bytes)
{
	FILE *out = fopen(path, "w");

	need(out && fwrite(data, 1, bytes, out) == bytes);
	need(fclose(out) == 0);
}

static void check_same(const uint8_t *data, size_t bytes)
{
	FILE *in = fopen(path, "r");

	need(in);
	for (size_t i = 0; i < bytes; i++)
		need(getc(in) == data[i]);
	need(getc(in) == EOF);
	fclose(in);
}

static int on_row(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	need(row->type && (row->field || !row->fields));
	return 0;
}

static unsigned asked;

/* Damaged pages may lead back to themselves. */
static bool stopped(void *ctx)
{
	(void)ctx;
	return ++asked > 10000;
}

static void query(struct database *db)
{
	static const char *const sql[] = {
		"SELECT * FROM run", "SELECT * FROM reading",
		"SELECT number, text FROM line", "DELETE FROM run",
	};
	struct assay_error err = { 0 };

	for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++) {
		int rc;

		asked = 0;
		rc = database_query(db, sql[i], on_row, NULL, stopped,
					&err);

		need(rc < 0 || strncmp(sql[i], "DELETE", 6));
		need(rc == 0 || *err.text);
	}
}

static void use(void)
{
	static const struct database_range all = { 1, INT64_MAX };
	static struct assay *assay;
	const char *const files[] = { path };
	struct assay_fleet_outcome outcome;
	struct assay_error err = { 0 };
	char *text;
	size_t bytes;

	if (!assay)
		need(assay_open(&assay, NULL, NULL) == 0);
	if (!database_lines(&text, &bytes, path, &all, 1 << 20, &err))
		free(text);
	if (!database_table(&text, &bytes, path, &all, 1 << 20, &err))
		free(text);
	assay_fleet_check(assay, files, 1, on_row, NULL, &outcome, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-runs" };
	char beside[sizeof(path) + 4];
	struct assay_error err = { 0 };
	struct database *db;

	if (strstr(path, "XXXXXX"))
		close(mkstemp(path));
	put(data, bytes);
	if (database_read(&db, path, &err)) {
		need(*err.text);
	} else {
		query(db);
		database_close(db);
		use();
	}
	check_same(data, bytes);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		snprintf(beside, sizeof(beside), "%s%s", path, ends[i]);
		unlink(beside);
	}
	return 0;
}
