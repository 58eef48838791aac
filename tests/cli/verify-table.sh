# Published tables: what is said of them, in each format, and mistakes in them.
say() {
	echo "* $*"
	"$ASSAY" verify --table "$@"
	echo "-> $?"
}
hw="$ASSAY_SOURCE/tests/judge/hw"
say "$hw/weaver_instructions.csv" | sed "s|$hw|hw|"
say "$hw/papi_zero_zen.csv" "$hw/apple_m4_validation.csv" -x , -o v.csv |
	sed "s|$hw|hw|g"
cat v.csv
say "$ASSAY_SOURCE/tests/judge/traps.csv" -e spike-in-scatter |
	sed "s|$ASSAY_SOURCE/||"
say "$ASSAY_SOURCE/tests/judge/covariates.csv" -e 'two-*' |
	sed "s|$ASSAY_SOURCE/||"
cat >t.csv <<-'END'
	name,value,n,Loop kind,stride
	INST,21,10,plain,8
	INST,42,20,plain,64
	REFILL,2,10,plain,8
	REFILL,20,20,plain,64
END
say t.csv --map 'event=name;count=value;expected=2*n+1' -v
say t.csv --map 'event=name;count=value;program=[Loop kind];expected=k*n+1;
	machine="a box"' --set k=2 -j
say t.csv --map 'event=name;count=value;expected=2*n+1' -e 'other,re*'
cat >x.yaml <<-'END'
	schema: assay-experiment/1
	name: plain
	source: made up for this test
	map: 'event=name;count=value;program=[Loop kind]'
	given: {line: 64}
	events: {INST: instructions, REFILL: l1d_refills}
	programs:
	  plain:
	    instructions: 2 * n + 1 | two per iteration
	    l1d_refills:
	      - {when: stride >= line, is: n, why: a line each, truth: model}
	      - {when: stride < line, within: [1, 2], why: they share lines}
END
say t.csv --experiment x.yaml -v
say t.csv --experiment x.yaml --set line=4 -v
say "$hw/papi_zero_zen.csv" --save --cert-dir certs | tail -n 2
for file in certs/*; do
	echo "$file" | sed 's/-20[0-9-]*T[0-9]*Z//'
done
"$ASSAY" diff certs/*zen2* certs/*bad* -j | grep -o '"what":"[^"]*"'
"$ASSAY" list events --verified --cert-dir certs 2>&1 |
	grep -o '^no certificate for'
echo '* mistakes in expressions'
for map in 'event=name;count=valu' 'evnt=name' 'event=[Loop sort];count=value' \
	'event=name;count=value;expected=2*m' 'event=name;count=2*' \
	'event=name;count=value;count=n' 'event;count=value' 'event="x";count='; do
	"$ASSAY" verify --table t.csv --map "$map"
	echo "-> $?"
done
echo '* mistakes in experiments'
for change in 's/given/givn/' 's/line: 64/line: many/' 's/ | two.*//' \
	's/stride >= line/stride/' 's/is: n/is: q/' 's/, why: a line each//' \
	's/instructions: 2/instructions: -2/' 's/within: .1, 2./within: [1]/'; do
	sed "$change" x.yaml >y.yaml
	"$ASSAY" verify --table t.csv --experiment y.yaml
	echo "-> $?"
done
echo '* mistakes in tables'
head='machine,event,run,count,expected,expected_low,shape,truth,scaled,resolution'
for row in 'm,E,1,nan' 'm,E,1,inf' 'm,E,1,0x10' 'm,E,1,-4' 'm,E,1,4,4,3' \
	'm,E,1,4,,,n' 'm,E,1,4,,,n=1;k' 'm,E,1.5,4' 'm,,1,4' 'm,E,1,4,,,,maybe' \
	'm,E,1,4,,,,,0' 'm,E,1,4,,,,,2' 'm,E,1,4,,,,,,0' 'm,E,1' 'm,"E,1,4' \
	'm,"E"x,1,4' 'm,E,1,1e999' 'm,E,1,4,x'; do
	commas=$(echo "$row" | tr -cd , | wc -c)
	case $row in 'm,E,1' | *'"'*) ;; *)
		while test "$commas" -lt 9; do
			row="$row,"
			commas=$((commas + 1))
		done ;;
	esac
	printf '%s\n%s\n' "$head" "$row" >bad.csv
	"$ASSAY" verify --table bad.csv
	echo "-> $?"
done
printf '%s\nm,E,1,4,,,,,,\nm,E,1,5,,,,,,\n' "$head" >bad.csv
say bad.csv
printf 'event,count\nA\033[31m,3\n' >bad.csv
say bad.csv 2>&1 | tr -d '\033'
printf 'event,count\nA\377,3\n' >bad.csv
say bad.csv 2>&1 | tr -d '\377'
printf 'event,event\n' >bad.csv
say bad.csv
printf 'count\n3\n' >bad.csv
say bad.csv
: >bad.csv
say bad.csv
mkdir d
cp t.csv d
say t.csv d/t.csv
say none.csv
echo '* mistakes in use'
"$ASSAY" verify --table
echo "-> $?"
"$ASSAY" verify t.csv
echo "-> $?"
"$ASSAY" verify --table t.csv --on sim:cortex-a72
echo "-> $?"
"$ASSAY" verify --table t.csv -e nothing
echo "-> $?"
"$ASSAY" verify --map event=name
echo "-> $?"
true
