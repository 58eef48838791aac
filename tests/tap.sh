# SPDX-License-Identifier: MIT
# Read by tests that are scripts: a line of their answer.

# number, name, what should be empty
empty() {
	if [ -z "$3" ]; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		echo "$3" | sed 's/^/# /'
	fi
}
