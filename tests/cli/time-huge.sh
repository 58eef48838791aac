# Explicit huge pages: where some are free the record says that it got them, by
# smaps; where none is, the run is refused and says what to do.
"$ASSAY" run chase --on time --elements 64 -r 1 --page-size huge -j \
	>rows.jsonl 2>error && rc=0 || rc=$?
pages=$(sed -n 's/.*"pages":"\([^"]*\)".*/\1/p' rows.jsonl | sort -u)
case "$rc $pages $(cat error)" in
"0 huge "*) echo "given or refused" ;;
"4  assay run: "*" huge pages of 2 MiB are free and 1 are needed;"*)
	echo "given or refused" ;;
*)	echo "exit $rc, pages '$pages'"
	cat error ;;
esac
