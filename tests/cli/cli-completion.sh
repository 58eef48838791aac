# The bash completion, as bash runs it.
command -v bash >/dev/null || { echo 'bash is not installed'; exit 77; }
"$ASSAY" completion bash >completion
PATH=$(dirname "$ASSAY"):$PATH
bash <<'END'
. ./completion
try() {
	COMP_WORDS=("$@")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_assay
	echo "$*: ${COMPREPLY[*]}"
}
try assay s
try assay ver
try assay list k
try assay help d
try assay run chase --el
try assay run chase --no-f
try assay run random --by
try assay run chase --color ''
try assay completion ''
try assay cpu ''
try assay cpu new --core ''
try assay cpu new --like neoverse-v
try assay cpu check amd-k
try assay list cpus skylake
END
