/* SPDX-License-Identifier: MIT */
/* Deletes runs, and what no run refers to any more. */
#include <inttypes.h>

#include "base/text.h"
#include "database/private.h"

static int delete_from(struct database *db, const char *sql, int64_t run,
		       struct assay_error *err)
{
	sqlite3_stmt *s;
	int rc = database_prepare(db, &s, sql, false, err);

	if (rc)
		return rc;
	sqlite3_bind_int64(s, 1, run);
	if (sqlite3_step(s) != SQLITE_DONE)
		rc = database_error(db, "delete from", err);
	sqlite3_finalize(s);
	return rc;
}

static int end(struct database *db, int rc, struct assay_error *err)
{
	rc = rc ? rc : database_exec(db, "COMMIT", err);
	if (rc)
		database_exec(db, "ROLLBACK", NULL);
	return rc;
}

int database_remove(struct database *db, int64_t run, struct assay_error *err)
{
	static const char *const sql[] = {
		"DELETE FROM value WHERE point IN "
		"(SELECT id FROM point WHERE run = ?1)",
		"DELETE FROM place WHERE point IN "
		"(SELECT id FROM point WHERE run = ?1)",
		"DELETE FROM point WHERE run = ?1",
		"DELETE FROM line WHERE run = ?1",
		"DELETE FROM run WHERE id = ?1",
	};
	int rc;

	if (database_runs(db, run))
		return error_set(err, -ASSAY_EINVAL, "run %" PRId64 " is being "
				 "stored just now", run);
	rc = database_exec(db, "BEGIN IMMEDIATE", err);
	if (rc)
		return rc;
	for (int i = 0; i < 5 && !rc; i++)
		rc = delete_from(db, sql[i], run, err);
	if (!rc && !sqlite3_changes(db->sqlite))
		rc = error_set(err, -ASSAY_ENOENT, "'%.600s' has no run %"
			       PRId64 "\ntry: assay db ls", db->path, run);
	return end(db, rc, err);
}

int database_compact(struct database *db, struct assay_error *err)
{
	int rc = database_exec(db, "BEGIN IMMEDIATE", err);

	if (rc)
		return rc;
	rc = database_exec(db, "DELETE FROM machine WHERE id NOT IN "
			   "(SELECT machine FROM point); "
			   "DELETE FROM name WHERE id NOT IN "
			   "(SELECT name FROM value UNION SELECT why FROM "
			   "value WHERE why IS NOT NULL)", err);
	rc = end(db, rc, err);
	if (rc)
		return rc;
	sqlite3_limit(db->sqlite, SQLITE_LIMIT_ATTACHED, 1);	/* VACUUM's */
	rc = database_exec(db, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", err);
	sqlite3_limit(db->sqlite, SQLITE_LIMIT_ATTACHED, 0);
	return rc;
}
