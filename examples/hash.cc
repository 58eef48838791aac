// SPDX-License-Identifier: MIT
// Looks up random keys in a hash map that has too few buckets: each of them has
// a list of 8 elements.
#include <cstddef>
#include <cstdio>
#include <vector>

template <typename Key, typename Value> class HashMap {
	struct Node {
		Key key;
		Value value;
		Node *next;
	};
	std::vector<Node *> bucket;

	Node *&bucket_of(Key key)
	{
		return bucket[key * 2654435761u % bucket.size()];
	}

public:
	explicit HashMap(std::size_t buckets) : bucket(buckets) {}

	void add(Key key, Value value)
	{
		Node *&first = bucket_of(key);

		first = new Node{ key, value, first };
	}

	const Value *find(Key key)
	{
		Node *n = bucket_of(key);

		while (n && n->key != key)
			n = n->next;
		return n ? &n->value : nullptr;
	}
};

static unsigned next(unsigned x)
{
	return x * 1664525u + 1013904223u;
}

int main()
{
	HashMap<unsigned, long> map(1 << 13);
	unsigned x = 1;
	long sum = 0;

	for (unsigned i = 0; i < 1 << 16; i++)
		map.add((x = next(x)) >> 12, i);
	for (int i = 0; i < 50000; i++) {
		const long *value = map.find((x = next(x)) >> 12);

		sum += value ? *value : 0;
	}
	std::printf("%ld\n", sum);
	return 0;
}
