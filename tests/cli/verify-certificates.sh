# Verdicts are kept as a certificate, which other commands use.
unset XDG_DATA_HOME
export HOME=$PWD/home
here=$PWD/certificates
"$ASSAY" verify --quick -q --on sim:cortex-a72 --save | grep -c certificate:
"$ASSAY" verify --quick -q --on sim:cortex-a72 --save --cert-dir "$here" \
	--fault double:L1D_CACHE_REFILL,dead:BR_PRED >/dev/null
echo "-> $?"
clean=$(echo home/.local/share/assay/certificates/*.json)
faulty=$(echo "$here"/*.json)
echo '* the records beside it have the hash that it says'
said=$(grep '"sha256"' "$clean" | grep -o '[0-9a-f]\{64\}')
[ "$(sha256sum <"${clean}l" | cut -d ' ' -f 1)" = "$said" ]; echo "-> $?"
echo '* list events'
"$ASSAY" list events L1D_CACHE_REFILL --on sim:cortex-a72 --verified 2>&1 |
	sed 's/of [0-9-]* for/of DATE for/'
"$ASSAY" list events --on sim:cortex-a72 --wrong 2>/dev/null
echo "-> $?"
"$ASSAY" list events BR_PRED --wrong --cert-dir "$here" --on \
	sim:cortex-a72,fault=double:L1D_CACHE_REFILL,fault=dead:BR_PRED \
	2>/dev/null
echo "-> $?"
"$ASSAY" list events BR_PRED --unknown --on sim:cortex-a76 2>&1
echo "-> $?"
echo '* run'
"$ASSAY" run flush --cert-dir "$here" -q -e BR_PRED,INST_RETIRED --on \
	sim:cortex-a72,fault=double:L1D_CACHE_REFILL,fault=dead:BR_PRED |
	grep -A 3 ^certificate | sed 's/of [0-9-]* for/of DATE for/'
echo '* diff'
"$ASSAY" diff "$clean" "$faulty"
echo "-> $?"
"$ASSAY" diff "$clean" "$clean"
echo "-> $?"
"$ASSAY" diff "${clean}l" "${clean}l" 2>&1 | tail -n 1
"$ASSAY" diff "$clean" "${clean}l" 2>/dev/null
echo "-> $?"
echo '* list cpus: what the certificate of this machine says'
umask 022
"$ASSAY_SOURCE"/tests/machines/unpack \
	"$ASSAY_SOURCE/tests/machines/raspberry-pi-4.tree" pi
mkdir real
for file in "${faulty}" "${faulty}l"; do
	sed 's/"provider": *"sim"/"provider": "perf"/
		s/"cpu": "cortex-a72"/"cpu": "Arm Cortex-A72"/
		s/"options": "fault=[^"]*"/"options": ""/' "$file" \
		>"real/${file##*/}"
done
"$ASSAY" list cpus cortex-a72 --sysroot pi --cert-dir real |
	grep -e certificate -e 'L1D ' -e branches
"$ASSAY" list cpus cortex-a76 --sysroot pi --cert-dir real -j |
	grep -m 1 '"L1D misses"'
