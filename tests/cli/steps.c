/* SPDX-License-Identifier: MIT */
/* Writes two words a thousand times, for breakpoints on symbols. */
extern volatile long counter;
extern void step(void);

volatile long counter;
static volatile long hidden;

void __attribute__((noinline)) step(void)
{
	counter = counter + 1;
	hidden = hidden + 2;
}

int main(void)
{
	for (int i = 0; i < 1000; i++)
		step();
	return counter != 1000;
}
