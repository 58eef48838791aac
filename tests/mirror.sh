# SPDX-License-Identifier: MIT
# Read by tests that are scripts: from where this machine gets its own packages.

# Sets $codename, and $mirror if apt knows one.
find_mirror() {
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	mirror=$(apt-get indextargets \
		--format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 2>/dev/null |
		awk -v of="$codename" '
			$2 == of && $3 == "main" { print $1; exit }')
}
