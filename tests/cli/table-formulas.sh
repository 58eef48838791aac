# Published tables: formulas held against what a table states, and derived.
say() {
	echo "* $*" | sed "s|$ASSAY_SOURCE/||"
	"$ASSAY" "$@"
	echo "-> $?"
}
# refills of two kinds of access in three programs; rates on the machine "rates"
python3 -c '
print("machine,program,shape,event,run,count,expected,expected_low,"
      "expected_high,quantity,truth,scaled")
for program, part in (("copy", 3), ("walk", 9), ("sum", 1)):
    for n in (1000, 4000, 20000, 100000):
        loads, stores = part * n // 10, (13 - part) * n // 100
        for run, noise in ((1, 0), (2, 40), (3, 10)):
            p = f"box,{program},n={n}"
            print(f"{p},LD,{run},{loads},,,,,,1")
            print(f"{p},ST,{run},{stores},,,,,,1")
            print(f"{p},ALL,{run},{loads + stores},{loads + stores},,,"
                  "l1d_refills,unit,1")
            print(f"{p},CYCLES,{run},{n * (5 + noise)},,,,,,1")
            print(f"{p},PART,{run},{loads},,,,,,0.4")
for n in (1, 2, 3):
    print(f"rates,p,n={n},LD,1,{n / 4},,,,,,1")
    print(f"rates,p,n={n},ST,1,0.01,,,,,,1")
    print(f"rates,p,n={n},ALL,1,0,{n / 4 + 0.015},,,l1d_refills,model,1")
print("rates,q,,LD,1,100,,,,,,1")
print("rates,q,,ST,1,10,,,,,,1")
print("rates,q,,ALL,1,0,,100,120,l1d_refills,model,1")
' >t.csv
cat >f.yaml <<'END_OF_FILE'
schema: assay-formulas/1
name: made-up
title: refills of a made-up box
source: made up for this test
cpus: ["box"]
events: {ld: LD, st: ST, none: NEVER}
formulas:
  - {metric: both, claims: l1d_refills, is: ld + st}
  - {metric: part, claims: l1d_refills, is: ld}
  - {metric: more, claims: l1d_refills, is: ld + st + none}
END_OF_FILE
say judge ./f.yaml --table t.csv
say judge ./f.yaml --table t.csv -v | sed -n '/^rates/,$p'
say judge ./f.yaml --table t.csv -j | grep -m 2 '"t":"size"'
say derive l1d_refills --table t.csv
say derive l1d_refills --table t.csv --withhold ALL -j |
	sed "s|[0-9.]*e-1[0-9]|0|g"
say derive l1d_refills --table t.csv --withhold ALL,ST -x ,
say derive l2_evictions --table "$ASSAY_SOURCE/tests/judge/hw/icl_fill_l2_l3.csv" \
	--withhold silent+non_silent
sed 's/l1d_refills/widgets/' t.csv >w.csv
say derive widgets --table w.csv --withhold ALL | head -n 3
echo '* mistakes'
say derive l1d_refills t.csv
say derive l1d_refills --table
say derive l1d_refills --map 'count=x'
say derive l1d_refills --table t.csv --on perf
say derive l1d_refills --table t.csv --withhold AL
say derive l2_refills --table t.csv
say judge ./f.yaml --table
say judge --table t.csv
say judge ./f.yaml --table t.csv --page-map random
say judge k10-l2 --table t.csv
mkdir other
cp t.csv other
say judge ./f.yaml --table t.csv other/t.csv
printf 'event,count\nLD,-1\n' >bad.csv
say judge ./f.yaml --table bad.csv
