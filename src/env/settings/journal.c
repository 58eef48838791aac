/* SPDX-License-Identifier: MIT */
/* The journal of changed settings: its text, its file, and undoing it. */
#define _GNU_SOURCE	/* O_CLOEXEC, O_NOFOLLOW */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/settings/journal.h"

static const char magic[] = "assay-journal 1\n";

enum { PATH_ROOM = 1024, LINE_ROOM = 160 };

/* ---- text --------------------------------------------------------------- */

static uint32_t sum_of(const char *text, size_t bytes)
{
	uint32_t sum = 2166136261u;

	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ (unsigned char)text[i]) * 16777619u;
	return sum;
}

size_t journal_line(char *out, size_t room, const struct setting *s)
{
	const int n = snprintf(out, room, "%s %d %s %s ",
			       setting_name(s->kind), s->cpu, s->was, s->now);
	int m;

	if (n < 0 || (size_t)n >= room)
		return 0;
	m = snprintf(out + n, room - (size_t)n, "%08" PRIx32 "\n",
		     sum_of(out, (size_t)n));
	return m > 0 && (size_t)(n + m) < room ? (size_t)(n + m) : 0;
}

static bool parse_fields(struct setting *out, char *line)
{
	char *rest = NULL, *end;
	const char *kind = strtok_r(line, " ", &rest);
	const char *cpu = strtok_r(NULL, " ", &rest);
	const char *was = strtok_r(NULL, " ", &rest);
	const char *now = strtok_r(NULL, " ", &rest);
	long number;

	if (!now || strtok_r(NULL, " ", &rest) ||
	    !setting_find(&out->kind, kind))
		return false;
	number = strtol(cpu, &end, 10);
	if (*end || number < -1 || number >= SETTING_CPUS)
		return false;
	out->cpu = (int)number;
	text_copy(out->was, sizeof(out->was), was);
	text_copy(out->now, sizeof(out->now), now);
	return !strcmp(out->was, was) && !strcmp(out->now, now) &&
	       setting_valid(out->kind, out->cpu, out->was) &&
	       setting_valid(out->kind, out->cpu, out->now);
}

/* A line without its newline. */
static bool parse_line(struct setting *out, const char *text, size_t bytes)
{
	char line[LINE_ROOM], *sum, *end;
	unsigned long stated;

	if (bytes >= sizeof(line) || memchr(text, '\0', bytes))
		return false;
	memcpy(line, text, bytes);
	line[bytes] = '\0';
	sum = strrchr(line, ' ');
	if (!sum || strlen(sum + 1) != 8)
		return false;
	stated = strtoul(sum + 1, &end, 16);
	if (*end || stated != sum_of(line, (size_t)(sum + 1 - line)))
		return false;
	*sum = '\0';
	return parse_fields(out, line);
}

size_t journal_parse(struct setting *out, size_t room, const char *text,
		     size_t bytes, unsigned *damaged)
{
	const size_t head = sizeof(magic) - 1;
	const char *at = text + head, *end = text + bytes;
	unsigned line = 1;
	size_t n = 0;

	*damaged = 0;
	if (bytes < head || memcmp(text, magic, head)) {
		/* a head that was cut off: no change had begun */
		*damaged = bytes > head || memcmp(text, magic, bytes);
		return 0;
	}
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		line++;
		if (!stop)
			break;
		if (n < room && parse_line(&out[n], at, (size_t)(stop - at)))
			n++;
		else if (!*damaged)
			*damaged = line;
		at = stop + 1;
	}
	return n;
}

/* ---- the file ----------------------------------------------------------- */

static bool path_of(char out[PATH_ROOM], const char *sysroot, const char *name)
{
	const int n = snprintf(out, PATH_ROOM, "%s/run/assay%s",
			       sysroot_is_live(sysroot) ? "" : sysroot, name);

	return n > 0 && n < PATH_ROOM;
}

static int io_error(struct assay_error *err, const char *what,
		    const char *path, int error)
{
	const int code = error == EACCES || error == EPERM || error == EROFS ?
			 -ASSAY_EPERM : -ASSAY_EIO;

	error_set(err, code, "cannot %s %s: %s", what, path, strerror(error));
	if (code == -ASSAY_EPERM)
		error_add(err, "no setting is changed that could not be "
			  "undone; try as root");
	if (err)
		err->sys_errno = error;
	return code;
}

bool journal_there(const char *sysroot)
{
	char path[PATH_ROOM];

	return path_of(path, sysroot, "/journal") && !access(path, F_OK);
}

/* Does the file belong to this user, and may no other user write it? */
static bool is_safe(const struct stat *st, mode_t type)
{
	return (st->st_mode & S_IFMT) == type && st->st_uid == geteuid() &&
	       !(st->st_mode & (S_IWGRP | S_IWOTH));
}

static int not_trusted(struct assay_error *err, const char *path)
{
	return error_set(err, -ASSAY_EPERM, "%s is not trusted: it must "
			 "belong to this user, and no other may write it",
			 path);
}

static int make_folder(const char *sysroot, struct assay_error *err)
{
	char path[PATH_ROOM], *last;
	struct stat st;

	if (!path_of(path, sysroot, ""))
		return error_set(err, -ASSAY_EIO, "the path is too long");
	last = strrchr(path, '/');
	if (!sysroot_is_live(sysroot)) {	/* it may have no /run */
		*last = '\0';
		mkdir(path, 0755);
		*last = '/';
	}
	if (mkdir(path, 0700) && errno != EEXIST)
		return io_error(err, "make", path, errno);
	if (lstat(path, &st))
		return io_error(err, "look at", path, errno);
	return is_safe(&st, S_IFDIR) ? 0 : not_trusted(err, path);
}

static int holder_of(int fd)
{
	char text[16] = "";
	const ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	return n > 0 ? atoi(text) : 0;
}

static int try_lock(int fd, int *holder, const char *path,
		    struct assay_error *err)
{
	char text[16];
	int n;

	*holder = 0;
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return io_error(err, "lock", path, errno);
		*holder = holder_of(fd);
		return error_set(err, -ASSAY_EPERM, "process %d is changing "
				 "this machine's settings: only one may",
				 *holder);
	}
	n = snprintf(text, sizeof(text), "%d\n", (int)getpid());
	if (ftruncate(fd, 0) || pwrite(fd, text, (size_t)n, 0) != n)
		return io_error(err, "write", path, errno);
	return 0;
}

int journal_lock(struct journal *out, const char *sysroot, int *holder,
		 struct assay_error *err)
{
	char path[PATH_ROOM];
	int rc;

	*out = (struct journal){ sysroot, -1, -1 };
	*holder = 0;
	rc = make_folder(sysroot, err);
	if (rc)
		return rc;
	if (!path_of(path, sysroot, "/lock"))
		return error_set(err, -ASSAY_EIO, "the path is too long");
	out->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			 0600);
	if (out->lock < 0)
		return io_error(err, "open", path, errno);
	rc = try_lock(out->lock, holder, path, err);
	if (rc)
		journal_unlock(out);
	return rc;
}

void journal_unlock(struct journal *journal)
{
	if (journal->file >= 0)
		close(journal->file);
	if (journal->lock >= 0)
		close(journal->lock);
	journal->file = journal->lock = -1;
}

static int put(int fd, const char *text, size_t bytes, const char *path,
	       struct assay_error *err)
{
	const ssize_t n = write(fd, text, bytes);

	if (n != (ssize_t)bytes)
		return io_error(err, "write", path, n < 0 ? errno : ENOSPC);
	if (fdatasync(fd))
		return io_error(err, "sync", path, errno);
	return 0;
}

/* Syncs the folder, so that the file's name survives a crash, too. */
static void sync_folder(const char *sysroot)
{
	char path[PATH_ROOM];
	int fd;

	if (!path_of(path, sysroot, ""))
		return;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int journal_create(struct journal *journal, struct assay_error *err)
{
	char path[PATH_ROOM];
	int rc;

	if (!path_of(path, journal->sysroot, "/journal"))
		return error_set(err, -ASSAY_EIO, "the path is too long");
	journal->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
			     O_CLOEXEC | O_NOFOLLOW, 0600);
	if (journal->file < 0)
		return io_error(err, "make", path, errno);
	rc = put(journal->file, magic, sizeof(magic) - 1, path, err);
	if (!rc)
		sync_folder(journal->sysroot);
	return rc;
}

int journal_add(struct journal *journal, const struct setting *setting,
		struct assay_error *err)
{
	char line[LINE_ROOM];
	const size_t bytes = journal_line(line, sizeof(line), setting);

	if (!bytes)
		return error_set(err, -ASSAY_EINTERNAL,
				 "a journal line is too long");
	return put(journal->file, line, bytes, "the journal", err);
}

/* ---- undoing ------------------------------------------------------------ */

static int load(struct journal_undo *undo, const char *path, size_t *bytes)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW |
			    O_NONBLOCK);
	struct stat st;
	ssize_t n = 0;
	int rc = 0;

	*bytes = 0;
	if (fd < 0 && errno == ENOENT)
		return 1;
	if (fd < 0)
		return io_error(&undo->why, "open", path, errno);
	if (fstat(fd, &st))
		rc = io_error(&undo->why, "look at", path, errno);
	else if (!is_safe(&st, S_IFREG) || st.st_nlink != 1)
		rc = not_trusted(&undo->why, path);
	else if (st.st_size > JOURNAL_BYTES)
		rc = error_set(&undo->why, -ASSAY_EIO, "%s is too long to be "
			       "a journal", path);
	while (!rc && *bytes < sizeof(undo->text) &&
	       (n = read(fd, undo->text + *bytes,
			 sizeof(undo->text) - *bytes)) > 0)
		*bytes += (size_t)n;
	if (!rc && n < 0)
		rc = io_error(&undo->why, "read", path, errno);
	close(fd);
	return rc;
}

/* Somebody has set another value since: that one stays. */
static void conflict(const char *sysroot, const struct setting *s,
		     const char *now, struct assay_error *err)
{
	error_set(err, -ASSAY_EPERM, "%s is '%s': another program has set it "
		  "after assay changed it from '%s' to '%s'",
		  setting_name(s->kind), now, s->was, s->now);
	setting_advise(err, sysroot, s);
}

/* Adds the command after which no run tries to undo anything. */
static void advise_to_forget(const char *sysroot, struct assay_error *err)
{
	char path[PATH_ROOM], quoted[2 * PATH_ROOM];

	if (!path_of(path, sysroot, "/journal"))
		return;
	text_shell(quoted, sizeof(quoted), path);
	error_add(err, "to leave all as it is now: rm %s", quoted);
}

/* Was the setting put back, or is there nothing to put back? */
static bool undo_one(struct journal_undo *undo, const char *sysroot,
		     const struct setting *s)
{
	struct assay_error err = { 0 };
	char now[SETTING_VALUE];
	const int rc = setting_read(now, sysroot, s->kind, s->cpu, &err);

	if (!rc && !strcmp(now, s->was))
		return true;	/* not changed yet, or put back already */
	/* Nobody sets "": that is a made-up machine's file, whose writer was
	 * killed between opening and writing. */
	if (!rc && *now && strcmp(now, s->now)) {
		conflict(sysroot, s, now, &err);
	} else if (!rc && !setting_write(sysroot, s->kind, s->cpu, s->was,
					 &err)) {
		undo->undone++;
		return true;
	}
	if (undo->failed++)
		return false;
	advise_to_forget(sysroot, &err);
	undo->why = err;
	return false;
}

/* Leaves only the entries that could not be undone. The file is replaced as a
 * whole, so a crash leaves the former one or this one. */
static void keep_entries(struct journal_undo *undo, const char *sysroot,
			 size_t n)
{
	char path[PATH_ROOM], next[PATH_ROOM];
	size_t bytes = sizeof(magic) - 1;
	int fd;

	if (!path_of(path, sysroot, "/journal") ||
	    !path_of(next, sysroot, "/journal.next"))
		return;
	memcpy(undo->text, magic, bytes);
	for (size_t i = 0; i < n; i++)
		bytes += journal_line(undo->text + bytes,
				      sizeof(undo->text) - bytes,
				      &undo->setting[i]);
	unlink(next);
	fd = open(next, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (fd < 0)
		return;
	if (put(fd, undo->text, bytes, next, NULL) || rename(next, path))
		unlink(next);
	close(fd);
	sync_folder(sysroot);
}

/* Undoes the first n settings, the last one first. Returns how many are left,
 * which then come first, in order. */
static size_t undo_settings(struct journal_undo *undo, const char *sysroot,
			    size_t n)
{
	size_t left = n;

	for (size_t i = n; i-- > 0;)
		if (!undo_one(undo, sysroot, &undo->setting[i]))
			undo->setting[--left] = undo->setting[i];
	memmove(undo->setting, undo->setting + left,
		(n - left) * sizeof(*undo->setting));
	return n - left;
}

int journal_undo(struct journal *journal, struct journal_undo *out)
{
	char path[PATH_ROOM];
	size_t bytes, n;
	int rc;

	out->undone = out->failed = out->damaged = 0;
	out->why = (struct assay_error){ 0 };
	if (!path_of(path, journal->sysroot, "/journal"))
		return -ASSAY_EIO;
	rc = load(out, path, &bytes);
	if (rc > 0)
		return 0;
	if (rc) {
		out->failed++;
		return rc;
	}
	n = journal_parse(out->setting, JOURNAL_LINES, out->text, bytes,
			  &out->damaged);
	n = undo_settings(out, journal->sysroot, n);
	if (out->damaged && !out->failed)
		error_set(&out->why, -ASSAY_EIO, "line %u of %s is damaged: "
			  "what it said was not undone; look at it, then "
			  "remove the file", out->damaged, path);
	if (out->failed && !out->damaged)
		keep_entries(out, journal->sysroot, n);
	if (out->failed || out->damaged)
		return out->why.code;
	if (unlink(path))
		return io_error(&out->why, "remove", path, errno);
	return 0;
}
