# The same tables give help, man pages and completions: every command is in all.
"$ASSAY" --help | sed -n '1,3p;$p'
"$ASSAY" help | sed -n 's/^  \([a-z]*\)  .*/\1/p; s/^  \(completion\) .*/\1/p' \
	| sort -u >commands
[ "$(wc -l <commands)" -ge 9 ] || echo 'commands are missing'
for command in $(cat commands); do
	"$ASSAY" "$command" --help | head -n 1 |
		grep -q "^usage: assay $command .*\[OPTION\]" ||
		echo "no usage of $command"
	"$ASSAY" help "$command" >a
	"$ASSAY" "$command" --help >b
	cmp a b || echo "help $command and $command --help differ"
	"$ASSAY" help --man "$command" >page.scd
	grep -q "^assay-$command(1) " page.scd || echo "no page of $command"
	if command -v scdoc >/dev/null; then
		scdoc <page.scd >page.1 || echo "bad page of $command"
	fi
	"$ASSAY" --complete "$command" | grep -q "^$command	." ||
		echo "$command is not completed"
done
# every option of every help text is completed
for command in $(cat commands); do
	"$ASSAY" "$command" --help |
		sed -n 's/^  \(-[a-zA-Z], \|    \)--\([a-z-]*\).*/\2/p' >options
	grep -qx help options || echo "$command has no option --help"
	"$ASSAY" --complete "$command" -- | sed -n 's/^--\([^	]*\).*/\1/p' \
		>completed
	for option in $(cat options); do
		grep -qx "$option" completed ||
			echo "$command: --$option is not completed"
	done
done
"$ASSAY" help --man assay | head -n 1 | cut -c1-8
# whatever is read from the environment by its name is in a manual
for command in assay $(cat commands); do
	"$ASSAY" help --man "$command" | tr -d '\\'
done >pages
grep -rhoE 'getenv\("[A-Z_]+"\)' "$ASSAY_SOURCE/src" "$ASSAY_SOURCE/plugin" |
	cut -d '"' -f 2 | sort -u | grep -vxE 'PATH|HOME|TERM|LC_ALL|LC_CTYPE|LANG' \
	>variables
[ "$(wc -l <variables)" -ge 4 ] || echo 'variables are missing'
for variable in $(cat variables); do
	grep -q "^\*$variable\*$" pages || echo "$variable is in no manual"
done
