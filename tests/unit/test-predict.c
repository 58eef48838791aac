/* SPDX-License-Identifier: MIT */
/*
 * The predictor against a slow one that is written from docs/cpu-file.md and
 * shares no code: equal mistakes, whatever the geometry, however the branches
 * are handed over.
 */

#include "check.h"
#include "draw.h"

#include "sim/engine/engine.h"

#define GEOMETRIES 300
#define DRAWN 2500
#define TABLES 4
#define MOST_ENTRIES 1024
#define MOST_JUMPS 4

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 20) % below;
}

/* ---- the slow one -------------------------------------------------------- */

struct entry {
	unsigned tag, counter, useful;
};

struct slow {
	struct predictor_geometry g;
	unsigned base[MOST_ENTRIES];
	struct entry table[TABLES][MOST_ENTRIES];
	bool outcome[DRAWN * 16];	/* oldest first */
	unsigned outcomes;
	uint64_t stack[8], jumped[MOST_JUMPS];
	unsigned top;
	uint64_t loop_pc, looped;
	uint64_t mispredicts, walks;
};

static unsigned table_entries(const struct slow *s)
{
	return s->g.entries < 4 ? 1 : s->g.entries / 4;
}

static void slow_begin(struct slow *s, const struct predictor_geometry *g)
{
	memset(s, 0, sizeof(*s));
	s->g = *g;
	for (unsigned i = 0; i < MOST_ENTRIES; i++) {
		s->base[i] = 2;
		for (int t = 0; t < TABLES; t++)
			s->table[t][i].counter = 4;
	}
}

/* Before there were any, branches were not taken. */
static uint64_t word_of(const struct slow *s, unsigned word, unsigned bits)
{
	uint64_t sum = 0;

	for (unsigned ago = word * 64; ago < bits && ago < s->outcomes; ago++)
		if (ago < word * 64 + 64 && s->outcome[s->outcomes - 1 - ago])
			sum |= UINT64_C(1) << ago % 64;
	return sum;
}

static uint64_t fold(const struct slow *s, unsigned bits)
{
	uint64_t sum = 0;

	for (unsigned word = (bits + 63) / 64; word-- > 1;) {
		sum ^= word_of(s, word, bits);
		sum *= UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return sum ^ word_of(s, 0, bits);
}

static struct entry *slow_entry(struct slow *s, int table, uint64_t pc,
				unsigned *tag)
{
	static const unsigned parts[TABLES] = { 8, 4, 2, 1 };
	uint64_t hash = fold(s, s->g.history / parts[table]) ^
			pc * UINT64_C(0x9e3779b97f4a7c15);
	unsigned number = 0, upper = 64;

	hash *= UINT64_C(0xd6e8feb86659fd93);
	for (unsigned n = table_entries(s); n > 1; n /= 2) {
		upper--;
		number = number * 2 + (hash >> upper & 1);
	}
	*tag = hash >> (upper - 16) & 0xffff;
	return &s->table[table][number];
}

static void count(unsigned *counter, bool up, unsigned most)
{
	if (up && *counter < most)
		++*counter;
	else if (!up && *counter > 0)
		--*counter;
}

static void give_room(struct entry **entry, const unsigned *tag, int from,
		      bool taken)
{
	for (int t = from; t < TABLES; t++)
		if (entry[t]->useful == 0) {
			*entry[t] = (struct entry){ tag[t], taken ? 4 : 3, 0 };
			return;
		}
	for (int t = from; t < TABLES; t++)
		entry[t]->useful--;
}

/* Was it wrong? */
static bool slow_guess(struct slow *s, uint64_t pc, bool taken)
{
	unsigned *base = &s->base[pc / 4 % s->g.entries], tag[TABLES];
	bool says = *base >= 2, other = says;
	struct entry *entry[TABLES];
	int decides = -1;

	for (int t = 0; t < TABLES && s->g.kind == PREDICT_TAGE; t++) {
		entry[t] = slow_entry(s, t, pc, &tag[t]);
		if (entry[t]->tag != tag[t])
			continue;
		other = says;
		says = entry[t]->counter >= 4;
		decides = t;
	}
	if (decides < 0) {
		count(base, taken, 3);
	} else {
		count(&entry[decides]->counter, taken, 7);
		if (says != other)
			count(&entry[decides]->useful, says == taken, 3);
	}
	if (says != taken && s->g.kind == PREDICT_TAGE)
		give_room(entry, tag, decides + 1, taken);
	s->outcome[s->outcomes++] = taken;
	return says != taken;
}

static void slow_branch(struct slow *s, uint64_t pc, bool taken, unsigned run)
{
	for (; run; run--) {
		const bool wrong = slow_guess(s, pc, taken);

		s->mispredicts += wrong;
		if (wrong && !taken && s->loop_pc == pc && s->looped >= 8)
			s->walks += s->g.wrong_path_walks;
		s->looped = s->loop_pc == pc && taken ? s->looped + 1 : taken;
		s->loop_pc = pc;
	}
}

static void slow_call(struct slow *s, uint64_t back)
{
	s->stack[s->top++ % s->g.return_stack] = back;
}

static void slow_return(struct slow *s, uint64_t to)
{
	uint64_t *said;

	s->top += s->g.return_stack - 1;
	said = &s->stack[s->top % s->g.return_stack];
	s->mispredicts += *said != to;
	*said = 0;
}

static void slow_jump(struct slow *s, uint64_t pc, uint64_t to)
{
	s->mispredicts += s->jumped[pc / 64 % MOST_JUMPS] != to;
	s->jumped[pc / 64 % MOST_JUMPS] = to;
}

struct branch {
	uint64_t pc, record;
};

static void slow_take(struct slow *s, const struct branch *b)
{
	const uint64_t operand = access_operand(b->record);

	switch (access_kind(b->record)) {
	case ACCESS_BRANCH:
		slow_branch(s, b->pc, access_log2_bytes(b->record) &
				      ACCESS_TAKEN, (unsigned)operand);
		break;
	case ACCESS_CALL:
		slow_call(s, operand);
		break;
	case ACCESS_RETURN:
		slow_return(s, operand);
		break;
	default:
		slow_jump(s, b->pc, operand);
		break;
	}
}

/* ---- what branches ------------------------------------------------------- */

static struct predictor_geometry draw_predictor(void)
{
	struct predictor_geometry g = {
		.kind = draw(4) ? PREDICT_TAGE : PREDICT_BIMODAL,
		.entries = 1u << draw(11), .return_stack = 1 + (uint32_t)draw(8),
		.wrong_path_walks = (uint32_t)draw(3),
	};
	static const uint32_t histories[] = { 4, 48, 64, 65, 128, 129, 256 };

	if (g.kind == PREDICT_TAGE)
		g.history = draw(2) ? histories[draw(7)] :
				      4 + (uint32_t)draw(253);
	return g;
}

/* Each branch has a habit: a loop of some length, a bias, the one before. */
static bool draw_taken(unsigned branch, bool before)
{
	static unsigned round[16];

	switch (branch % 4) {
	case 0:
		return ++round[branch] % (9 + branch * 5) != 0;
	case 1:
		return draw(20) != 0;
	case 2:
		return before;
	default:
		return draw(2);
	}
}

static struct branch draw_branch(void)
{
	static unsigned branch;
	static bool before;
	uint64_t pc;

	if (!draw(30))
		branch = (unsigned)draw(16);
	pc = ACCESS_CODE_BASE + branch * 68;

	switch (draw(50)) {
	case 0:
		return (struct branch){
			pc, access_pack(ACCESS_CALL, 0, 0, 16 + draw(4)) };
	case 1:
		return (struct branch){
			pc, access_pack(ACCESS_RETURN, 0, 0, 16 + draw(4)) };
	case 2:
		return (struct branch){
			ACCESS_CODE_BASE + 64 * draw(MOST_JUMPS),
			access_pack(ACCESS_JUMP, draw(2) ? ACCESS_CALLED : 0,
				    0, 16 + draw(2)) };
	default:
		before = draw_taken(branch, before);
		return (struct branch){
			pc, access_pack(ACCESS_BRANCH,
					before ? ACCESS_TAKEN : 0, 0,
					draw(40) ? 1 : 1 + draw(300)) };
	}
}

/* ---- the two ------------------------------------------------------------- */

static struct sim *new_sim(const struct predictor_geometry *p)
{
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 64,
			 .ways = 4, .slices = 1 },
		.walker = { WALK_L2, 4, 3 },
		.predictor = *p,
	};
	const char *why = NULL;
	const size_t bytes = sim_bytes(&g, &why);
	void *memory;

	assert_null(why);
	memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	assert_non_null(memory);
	memset(memory, 0x5a, bytes);
	return sim_init(memory, &g);
}

/* Any that this machine can run. */
static void draw_engine(struct sim *sim)
{
	const struct engine *e = engine_best((unsigned)draw(3));

	sim->engine = e ? e : &engine_portable;
}

/* As records of a trace. */
static uint64_t feed(struct sim *sim, const struct branch *b)
{
	const uint64_t *signal = sim_signals(sim);
	const uint64_t before = signal[SIGNAL_walks_wrong_path];
	const uint64_t record[] = { access_pack(ACCESS_PC, 0, 0, b->pc),
				    b->record };

	sim_feed(sim, record, 2);
	return signal[SIGNAL_walks_wrong_path] - before;
}

/* The target of an indirect call is no branch of its own. */
static uint64_t branches_of(uint64_t record)
{
	if (access_kind(record) == ACCESS_JUMP)
		return !(access_log2_bytes(record) & ACCESS_CALLED);
	return access_kind(record) == ACCESS_BRANCH ? access_operand(record) :
						      1;
}

/* What is counted besides mistakes. */
static void check_kinds(const uint64_t *signal, const struct branch *of,
			unsigned n)
{
	uint64_t calls = 0, returns = 0, jumps = 0, branches = 0, taken = 0;

	for (unsigned i = 0; i < n; i++) {
		const enum access_kind kind = access_kind(of[i].record);
		const uint64_t run = branches_of(of[i].record);

		calls += kind == ACCESS_CALL;
		returns += kind == ACCESS_RETURN;
		jumps += kind == ACCESS_JUMP;
		branches += run;
		if (kind != ACCESS_BRANCH ||
		    access_log2_bytes(of[i].record) & ACCESS_TAKEN)
			taken += run;
	}
	assert_int_equal(signal[SIGNAL_calls], calls);
	assert_int_equal(signal[SIGNAL_returns], returns);
	assert_int_equal(signal[SIGNAL_indirect_jumps], jumps);
	assert_int_equal(signal[SIGNAL_branches], branches);
	assert_int_equal(signal[SIGNAL_branches_taken], taken);
}

/* Once, and so one of many? */
static bool is_outcome(const struct branch *b)
{
	return access_kind(b->record) == ACCESS_BRANCH &&
	       access_operand(b->record) == 1;
}

/* One after the other, by the slow one. */
static void check_walks(struct slow *slow, const struct branch *of, unsigned n,
			const uint32_t *after, size_t ends, uint32_t each,
			const uint64_t *wrong)
{
	uint64_t before, mistakes;
	size_t found = 0;
	uint32_t k = 0;

	for (unsigned i = 0; i < n; i++) {
		before = slow->walks;
		mistakes = slow->mispredicts;
		slow_take(slow, &of[i]);
		if (slow->walks != before) {
			assert_true(found < ends);
			assert_int_equal(after[found++], k);
			assert_int_equal(each, slow->walks - before);
		}
		if (access_kind(of[i].record) != ACCESS_BRANCH)
			continue;
		assert_int_equal(wrong[k / 64] >> k % 64 & 1,
				 slow->mispredicts - mistakes);
		k++;
	}
	assert_int_equal(found, ends);
}

/* The first of them, up to one that is several; how many. */
static unsigned take_many(struct sim *sim, struct slow *slow,
			  const struct branch *of, unsigned n)
{
	static uint64_t outcome[DRAWN], pc[DRAWN], jump[DRAWN],
			call[DRAWN];
	static uint64_t wrong[DRAWN / 64 + 1];
	static uint32_t after[DRAWN];
	size_t outcomes = 0, calls = 0, jumps = 0, ends;
	uint32_t each;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (is_outcome(&of[i]))
			outcome[outcomes++] = of[i].pc << 1 |
				(access_log2_bytes(of[i].record) &
				 ACCESS_TAKEN ? SIM_TAKEN : 0);
		else if (access_kind(of[i].record) == ACCESS_JUMP) {
			pc[jumps] = of[i].pc;
			jump[jumps++] = of[i].record;
		} else if (access_kind(of[i].record) != ACCESS_BRANCH)
			call[calls++] = of[i].record;
		else
			break;
	}
	ends = sim_outcomes(sim, outcome, outcomes, after, &each, wrong);
	sim_calls(sim, call, calls);
	sim_jumps(sim, pc, jump, jumps);
	check_walks(slow, of, i, after, ends, each, wrong);
	return i;
}

static void compare(const struct predictor_geometry *g, struct slow *slow,
		    const struct branch *of, unsigned n)
{
	struct sim *sim = new_sim(g);
	const uint64_t *signal = sim_signals(sim);
	uint64_t walks;
	unsigned now;

	draw_engine(sim);
	for (unsigned i = 0; i < n; i += now) {
		now = 1 + (unsigned)draw(draw(2) ? 1 : 300);
		now = now > 1 || draw(2) ?
		      take_many(sim, slow, of + i, now < n - i ? now : n - i) :
		      0;
		if (!now) {
			walks = slow->walks;
			slow_take(slow, &of[i]);
			walks = slow->walks - walks;
			assert_int_equal(draw(2) ? feed(sim, &of[i]) :
					 sim_flow(sim, of[i].pc, of[i].record),
					 walks);
			now = 1;
		}
		assert_int_equal(signal[SIGNAL_mispredicts],
				 slow->mispredicts);
	}
	check_kinds(signal, of, n);
	free(sim);
}

/* Runs must fit into the slow one's outcomes. */
static unsigned draw_branches(struct branch *of)
{
	unsigned n = 0;

	for (uint64_t outcomes = 0; n < DRAWN; n++) {
		of[n] = draw_branch();
		if (access_kind(of[n].record) == ACCESS_BRANCH)
			outcomes += access_operand(of[n].record);
		if (outcomes > DRAWN * 16)
			break;
	}
	return n;
}

static void as_it_is_written(void **state)
{
	static struct branch of[DRAWN];
	static struct slow slow;
	uint64_t wrong = 0, walks = 0;

	(void)state;
	for (int tried = 0; tried < GEOMETRIES; tried++) {
		struct predictor_geometry g;

		seed = (uint64_t)(tried + 1) * UINT64_C(0x9e3779b97f4a7c15);
		g = draw_predictor();
		slow_begin(&slow, &g);
		compare(&g, &slow, of, draw_branches(of));
		wrong += slow.mispredicts;
		walks += slow.walks;
	}
	assert_true(wrong > GEOMETRIES * DRAWN / 20);
	assert_true(wrong < GEOMETRIES * DRAWN / 2);
	assert_true(walks > GEOMETRIES);
}

/* ---- what it learns ------------------------------------------------------ */

/* Mispredicts of the last 100 walks through a loop of so many rounds. */
static uint64_t ends_missed(const struct predictor_geometry *g, unsigned rounds)
{
	struct sim *sim = new_sim(g);
	const struct branch walk[] = {
		{ 0x400100, access_pack(ACCESS_BRANCH, ACCESS_TAKEN, 0,
					rounds - 1) },
		{ 0x400100, access_pack(ACCESS_BRANCH, 0, 0, 1) },
	};
	uint64_t before = 0, missed;

	for (int i = 0; i < 400; i++) {
		if (i == 300)
			before = sim_signals(sim)[SIGNAL_mispredicts];
		for (int k = 0; k < 2; k++)
			sim_flow(sim, walk[k].pc, walk[k].record);
	}
	missed = sim_signals(sim)[SIGNAL_mispredicts] - before;
	free(sim);
	return missed;
}

static void learns_loops_as_long_as_its_history(void **state)
{
	const uint32_t histories[] = { 8, 20, 48, 64, 100, 128, 256 };
	struct predictor_geometry g = { .kind = PREDICT_TAGE, .entries = 4096 };

	(void)state;
	for (int i = 0; i < 7; i++) {
		g.history = histories[i];
		for (unsigned rounds = 2; rounds <= g.history + 1; rounds++)
			assert_int_equal(ends_missed(&g, rounds), 0);
		assert_true(ends_missed(&g, g.history + 2) >= 100);
		assert_true(ends_missed(&g, g.history * 2) >= 100);
	}
}

/* Without a predictor nothing is a mistake, one at a time or many. */
static void without_one_nothing_is_wrong(void **state)
{
	const struct predictor_geometry none = { .kind = PREDICT_NONE };
	struct sim *sim = new_sim(&none);
	uint64_t record[20];

	(void)state;
	record[0] = access_pack(ACCESS_CALL, 0, 0, 64);
	record[1] = access_pack(ACCESS_RETURN, 0, 0, 128);
	for (unsigned i = 2; i < 20; i++)
		record[i] = access_pack(ACCESS_BRANCH,
					i & 1 ? ACCESS_TAKEN : 0, i, 1);
	for (unsigned i = 0; i < 20; i++)
		sim_feed(sim, &record[i], 1);
	sim_feed(sim, record, 20);
	assert_int_equal(sim_signals(sim)[SIGNAL_branches], 40);
	assert_int_equal(sim_signals(sim)[SIGNAL_mispredicts], 0);
	assert_int_equal(sim_signals(sim)[SIGNAL_return_mispredicts], 0);
	free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_it_is_written),
		cmocka_unit_test(learns_loops_as_long_as_its_history),
		cmocka_unit_test(without_one_nothing_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
