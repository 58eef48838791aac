/* SPDX-License-Identifier: MIT */
/*
 * A program of no library that wanders, always alike: through blocks of code
 * of all shapes (wander-*.S), on addresses that are aligned or not, in few or
 * many pages; and so is the code. wander ROUNDS
 */
#include <stdint.h>

enum {
	LINE = 64, PAGE = 4096, PAGES = 256,
	STRIDE = 1108,		/* of shapes */
	ENDS = 24,		/* a page apart */
	STAY = 256		/* rounds of one set of pages and of shapes */
};

static char table[(PAGES + 2) * PAGE] __attribute__((aligned(4096)));
extern const char wander_shapes[], wander_shapes_end[], wander_ends[];
void wander_exit(void);

static uint64_t seed = 1;

static uint64_t draw(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 33) % below;
}

/* What is near at the moment. */
static uint64_t pages, first_shape, shapes;

static uint64_t all_shapes(void)
{
	return (uint64_t)(wander_shapes_end - wander_shapes) / STRIDE;
}

static void move(void)
{
	static const uint64_t sets[] = { 2, 5, 12, 20, 28, 40, 60, PAGES };

	pages = sets[draw(sizeof(sets) / sizeof(*sets))];
	shapes = UINT64_C(2) << draw(8);
	first_shape = draw(all_shapes());
}

/* A page has a line that is used more than others: in most its own, in some
 * the last one, and the first in those behind. */
static char *draw_address(void)
{
	const uint64_t page = draw(pages), how = draw(8);
	const uint64_t hot = page % 4 == 0 ? 63 : page % 4 == 1 ? 0 : page * 5;
	const uint64_t line = how < 6 ? hot : draw(PAGE / LINE);
	char *at = table + page * PAGE + line % (PAGE / LINE) * LINE;

	return how == 7 ? at + draw(LINE) : how > 2 ? at + draw(4) * 8 : at;
}

/* The same one, the same of another page, or any. */
static char *draw_other(char *at)
{
	const uint64_t how = draw(8);

	return how < 2 ? at : how < 4 ?
	       table + draw(pages) * PAGE + (at - table) % PAGE :
	       draw_address();
}

static void step(void)
{
	const uint64_t number = first_shape + draw(shapes);
	const char *shape = draw(3) ?
		wander_shapes + number % all_shapes() * STRIDE :
		wander_ends + number % ENDS * PAGE;
	char *at = draw_address();

	((void (*)(char *, char *, uint64_t))(uintptr_t)shape)(
		at, draw_other(at), draw(8));
}

void wander(const long *stack);
void wander(const long *stack)
{
	const char *text = stack[0] > 1 ? (const char *)stack[2] : "";
	uint64_t rounds = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		rounds = rounds * 10 + (uint64_t)(*text - '0');
	for (uint64_t i = 0; i < rounds; i++) {
		if (i % STAY == 0)
			move();
		step();
	}
	wander_exit();
}
