/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer:
 *
 *	fuzz-<name> [-n MUTATIONS] [-t SECONDS] [-s SEED] [-o FILE] FOLDER|FILE...
 *
 * gives the target every seed, then MUTATIONS inputs made of them by flipping,
 * cutting, inserting and splicing; with -t more of them until the time is over
 * (the environment variable FUZZ_SECONDS goes before -t).
 * The same SEED, which is printed and else drawn, makes the same inputs. When
 * the target crashes or leaks, the input is kept in FILE (crash-input).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define INPUT_BYTES (1 << 20)	/* longer ones are cut */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
/* There only when a sanitizer is linked. */
void __sanitizer_set_death_callback(void (*fn)(void))
	__attribute__((weak));
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
const char *__lsan_default_suppressions(void);
int __sanitizer_install_malloc_and_free_hooks(
	void (*allocated)(const volatile void *, size_t),
	void (*freed)(const volatile void *)) __attribute__((weak));

/* libfyaml 0.7.12 loses 1 or 2 KiB in fy_token_get_text() of '' after '' in
 * quotes; its text is right. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libfyaml.so\n";
}

struct input {
	uint8_t *data;
	size_t bytes;
};

struct seeds {
	struct input *input;
	size_t inputs;
};

/* What a signal handler and the sanitizer's hooks have to know: the input that
 * is being tried, and how many blocks it has allocated and not freed. */
static struct {
	const char *path;
	const uint8_t *data;
	size_t bytes;
	long blocks;
} trying = { .path = "crash-input" };

static void die(const char *what, const char *subject)
{
	fprintf(stderr, "fuzz: %s '%s': %s\n", what, subject, strerror(errno));
	exit(1);
}

static void *need(void *memory)
{
	if (!memory)
		die("cannot allocate", "an input");
	return memory;
}

static void say(const char *text)
{
	if (write(2, text, strlen(text)) < 0)
		_exit(1);
}

static void keep_input(void)
{
	int fd = trying.data ?
		 open(trying.path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	if (!trying.data)
		say("fuzz: no single input is the cause\n");
	else if (fd < 0 || write(fd, trying.data, trying.bytes) < 0)
		say("fuzz: cannot keep the input that crashed\n");
	else
		say("fuzz: the input that crashed is kept\n");
	if (fd >= 0)
		close(fd);
}

static void on_signal(int number)
{
	signal(number, SIG_DFL);
	keep_input();
	raise(number);
}

static void watch_crashes(void)
{
	signal(SIGABRT, on_signal);
	if (__sanitizer_set_death_callback) {
		__sanitizer_set_death_callback(keep_input);
		return;
	}
	signal(SIGSEGV, on_signal);
	signal(SIGBUS, on_signal);
	signal(SIGFPE, on_signal);
	signal(SIGILL, on_signal);
	signal(SIGTRAP, on_signal);
}

static void on_malloc(const volatile void *block, size_t bytes)
{
	(void)block, (void)bytes;
	trying.blocks++;
}

static void on_free(const volatile void *block)
{
	trying.blocks -= block != NULL;
}

static void watch_leaks(void)
{
	if (__lsan_do_recoverable_leak_check &&
	    __sanitizer_install_malloc_and_free_hooks)
		__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

/* Looks for leaks, which takes long, only if blocks are left: those of a table
 * that is made once, or lost ones. */
static void look_for_leaks(void)
{
	if (trying.blocks > 0 && __lsan_do_recoverable_leak_check())
		abort();
}

/* On a copy of exact length, so that a sanitizer sees reads past its end. */
static void try(const uint8_t *data, size_t bytes)
{
	uint8_t *copy = need(malloc(bytes ? bytes : 1));

	memcpy(copy, data, bytes);
	trying.data = copy;
	trying.bytes = bytes;
	trying.blocks = 0;
	LLVMFuzzerTestOneInput(copy, bytes);
	look_for_leaks();
	trying.data = NULL;
	trying.bytes = 0;
	free(copy);
}

/* xorshift64* */
static uint64_t next(uint64_t *random)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return *random * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t below(uint64_t *random, size_t limit)
{
	return limit ? (next(random) >> 11) % limit : 0;
}

static void flip(struct input *in, uint64_t *random)
{
	static const uint8_t telling[] = { 0, 1, 9, '\n', ' ', '"', '\'', '#',
		'(', ')', ',', '-', '.', '/', '0', '9', ':', '[', '\\', ']',
		'{', '}', '~', 0x7f, 0x80, 0xc0, 0xff };
	size_t at = below(random, in->bytes);

	if (!in->bytes)
		return;
	switch (below(random, 3)) {
	case 0:
		in->data[at] ^= (uint8_t)(1u << below(random, 8));
		break;
	case 1:
		in->data[at] = telling[below(random, sizeof(telling))];
		break;
	default:
		in->data[at] = (uint8_t)next(random);
	}
}

static void cut(struct input *in, uint64_t *random)
{
	size_t at = below(random, in->bytes);
	size_t most = in->bytes - at;
	size_t n = below(random, (below(random, 2) ? 8 : most) + 1);

	if (n > most)
		n = most;
	memmove(in->data + at, in->data + at + n, most - n);
	in->bytes -= n;
}

/* Puts n bytes at `at`, as far as there is room. */
static void put(struct input *in, size_t at, const uint8_t *from, size_t n)
{
	if (n > INPUT_BYTES - in->bytes)
		n = INPUT_BYTES - in->bytes;
	memmove(in->data + at + n, in->data + at, in->bytes - at);
	memcpy(in->data + at, from, n);
	in->bytes += n;
}

/* Some of its own bytes again, or one byte many times. */
static void insert(struct input *in, uint64_t *random)
{
	uint8_t piece[64];
	size_t n = 1 + below(random, sizeof(piece));
	size_t at = below(random, in->bytes + 1);
	size_t from = below(random, in->bytes);

	memset(piece, (int)(next(random) & 255), sizeof(piece));
	if (in->bytes && below(random, 2)) {
		if (n > in->bytes - from)
			n = in->bytes - from;
		memcpy(piece, in->data + from, n);
	}
	put(in, at, piece, n);
}

/* The end of another seed in place of the own end. */
static void splice(struct input *in, const struct seeds *seeds,
		   uint64_t *random)
{
	const struct input *other = &seeds->input[below(random, seeds->inputs)];
	size_t from = below(random, other->bytes + 1);

	in->bytes = below(random, in->bytes + 1);
	put(in, in->bytes, other->data + from, other->bytes - from);
}

static void mutate(struct input *in, const struct seeds *seeds,
		   uint64_t *random)
{
	const struct input *seed = &seeds->input[below(random, seeds->inputs)];

	memcpy(in->data, seed->data, seed->bytes);
	in->bytes = seed->bytes;
	for (size_t n = 1 + below(random, 4); n; n--)
		switch (below(random, 6)) {
		case 0:
			cut(in, random);
			break;
		case 1:
			insert(in, random);
			break;
		case 2:
			splice(in, seeds, random);
			break;
		default:
			flip(in, random);
		}
}

static void add_file(struct seeds *seeds, const char *path)
{
	FILE *file = fopen(path, "rb");
	struct input in = { need(malloc(INPUT_BYTES)), 0 };

	if (!file)
		die("cannot open", path);
	in.bytes = fread(in.data, 1, INPUT_BYTES, file);
	if (ferror(file))
		die("cannot read", path);
	fclose(file);
	in.data = need(realloc(in.data, in.bytes ? in.bytes : 1));
	seeds->input = need(realloc(seeds->input, (seeds->inputs + 1) *
				    sizeof(*seeds->input)));
	seeds->input[seeds->inputs++] = in;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* In the order of their names: the same everywhere. */
static void add_folder(struct seeds *seeds, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, visible, alphasort);
	char path[4096];

	if (n < 0)
		die("cannot read", folder);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 entry[i]->d_name);
		add_file(seeds, path);
		free(entry[i]);
	}
	free(entry);
}

static void add(struct seeds *seeds, const char *path)
{
	struct stat info;

	if (stat(path, &info))
		die("cannot find", path);
	if (S_ISDIR(info.st_mode))
		add_folder(seeds, path);
	else
		add_file(seeds, path);
}

static void run(const struct seeds *seeds, unsigned long mutations,
		time_t seconds, uint64_t random)
{
	struct input in = { need(malloc(INPUT_BYTES)), 0 };
	const time_t end = time(NULL) + seconds;
	unsigned long n;

	for (size_t i = 0; i < seeds->inputs; i++)
		try(seeds->input[i].data, seeds->input[i].bytes);
	for (n = 0; n < mutations || (seconds && time(NULL) < end); n++) {
		mutate(&in, seeds, &random);
		try(in.data, in.bytes);
	}
	free(in.data);
	printf("%zu seeds, %lu mutations\n", seeds->inputs, n);
}

static uint64_t draw(void)
{
	uint32_t seed = 0;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = (uint32_t)getpid();
	return seed;
}

int main(int argc, char **argv)
{
	struct seeds seeds = { 0 };
	unsigned long mutations = 0;
	uint64_t random = draw();
	time_t seconds = 0;

	for (int c; (c = getopt(argc, argv, "n:s:t:o:")) != -1;) {
		if (c == 'n')
			mutations = strtoul(optarg, NULL, 10);
		else if (c == 's')
			random = strtoull(optarg, NULL, 10);
		else if (c == 't')
			seconds = strtol(getenv("FUZZ_SECONDS") ?: optarg,
					 NULL, 10);
		else if (c == 'o')
			trying.path = optarg;
		else
			return 1;
	}
	for (int i = optind; i < argc; i++)
		add(&seeds, argv[i]);
	if (!seeds.inputs) {
		fputs("fuzz: no seeds\n", stderr);
		return 1;
	}
	printf("seed %llu\n", (unsigned long long)random);
	fflush(stdout);
	watch_crashes();
	watch_leaks();
	run(&seeds, mutations, seconds, random | 1);
	for (size_t i = 0; i < seeds.inputs; i++)
		free(seeds.input[i].data);
	free(seeds.input);
	return 0;
}
