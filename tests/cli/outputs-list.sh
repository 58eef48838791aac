# Lists for people, in two widths: the answer, then at most a screen.
for columns in 80 160; do
	export COLUMNS=$columns
	for list in 'cpus' 'cpus cortex-a76' 'cpus k10' 'cpus i7-6700hq' \
			'events refill --cpu cortex-a76' \
			'events refill --cpu cortex-a76 --all'; do
		echo "== list $list, $columns columns"
		"$ASSAY" list $list >text
		# how many facts there are changes with each file
		case $list in
		cpus) sed 's#[0-9]*\(/[0-9]\{1,\}\)\{4\}$#N/N/N/N/N#
			1,/^$/d' text ;;
		*) cat text ;;
		esac
		case $list in
		cpus*) [ "$(wc -l <text)" -le 40 ] || echo 'more than a screen' ;;
		esac
	done
done
# each number is the sum of the files'
"$ASSAY" list cpus -j >rows
for word in documented measured fitted recalled guessed; do
	grep -o "\"$word\":[0-9]*" rows | cut -d: -f2 |
		awk '{n += $1} END {print n}'
done | paste -sd' ' >sums
COLUMNS=200 "$ASSAY" list cpus | head -n 1 | sed 's/^[0-9]* CPU files//' |
	grep -o '[0-9]\{1,\}' | paste -sd' ' | cmp - sums
# -v: the same sentence, then everything, with the letters explained
"$ASSAY" list cpus cortex-a72 -v >text
head -n 1 text
grep -c '^caches.l1d.ways  *2  *D' text
tail -n 1 text
# where nothing can be counted, and where all of it can
umask 022
for name in kvm-guest-no-pmu epyc-7763; do
	"$ASSAY_SOURCE"/tests/machines/unpack \
		"$ASSAY_SOURCE/tests/machines/$name.tree" "$name"
	echo "== $name"
	"$ASSAY" list events cache-misses --sysroot "$name"
	"$ASSAY" list events cache-misses --sysroot "$name" -x ,
done
"$ASSAY" list cpus --all || echo "exits with $?"
exit 0
