/* SPDX-License-Identifier: MIT */
/* Functions of one name and several arguments, and an exception. */
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#define NOINLINE __attribute__((noinline, noclone))

static volatile char line[1 << 16][64];
static volatile int sink, turns;

namespace deep {
NOINLINE void walk(int n)
{
	for (int i = 0; i < n; i++)
		sink = line[i][0];
}

NOINLINE void walk(double n)
{
	walk(static_cast<int>(n));
	sink = 1;
}

NOINLINE void fall(int n)
{
	walk(n);
	throw std::runtime_error("fall");
}
}

namespace { namespace here {
template <typename T> NOINLINE void shape(T n)
{
	deep::walk(std::max(static_cast<int>(n), 1));
	sink = 2;
}
} }

int main(int, char **argv)
{
	const int n = std::atoi(argv[1]);

	deep::walk(n);
	deep::walk(static_cast<double>(n));
	here::shape(n);
	try {
		deep::fall(n);
	} catch (const std::exception &) {
		for (int i = 0; i < 100000; i++)
			turns = turns + 1;
	}
	return 0;
}
