# A CPU file whose event counts every miss twice: verify names the event, and
# exits with 3; with the true file it accuses nobody.
"$ASSAY" verify --quick --on sim:cortex-a72 >/dev/null
echo "status $?"
awk '/^ *L1D_CACHE_REFILL_LD:/ { here = 1 }
here && /counts:/ { sub("counts: ", "counts: 2 * "); here = 0 }
1' "$ASSAY_SOURCE/data/cpus/cortex-a72.yaml" >lying.yaml
cmp -s lying.yaml "$ASSAY_SOURCE/data/cpus/cortex-a72.yaml" &&
	echo 'no lie was planted'
"$ASSAY" verify --quick -q --on sim:./lying.yaml -x ';' >verdicts 2>&1
echo "status $?"
grep '^disagrees' verdicts | grep -q L1D_CACHE_REFILL_LD && echo named
grep '^disagrees' verdicts | grep -v L1D_CACHE_REFILL_LD
true
