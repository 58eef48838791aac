# The published counts of a K10 give the published metrics, to the last digit
# where that is right; and what is wrong in them is said.
set -u
"$ASSAY" stat -M k10 --on replay:k10-sample -j >k10.jsonl
python3 - <<'END'
import json

PRINTED = [  # metric, as a percentage or a number
    ("dc_request_rate", "%.3f%%"), ("dc_misses", "%d"),
    ("dc_miss_ratio", "%.3f%%"), ("ic_request_rate", "%.3f%%"),
    ("ic_misses", "%d"), ("ic_miss_ratio", "%.3f%%"),
    ("l2_requests", "%d"), ("l2_request_rate", "%.3f%%"),
    ("l2_misses", "%d"), ("l2_miss_ratio", "%.3f%%"),
    ("l3_request_rate", "%.3f%%"), ("l3_miss_ratio", "%.3f%%"),
    ("l2_misses_by_script", "%d"), ("l2_miss_ratio_by_script", "%.3f%%"),
]
rows = [json.loads(line) for line in open("k10.jsonl")]
value = {r["metric"]: r["value"] for r in rows if r["t"] == "metric"}
for name, form in PRINTED:
    number = value[name] * (100 if form.endswith("%%") else 1)
    print(name, form % number)
for r in rows:
    if r["t"] == "remark":
        print(r["about"] + ": " + r["remark"])
    if r["t"] == "metric" and r["metric"] in ("ipc", "l2_direct_miss_ratio"):
        print(r["metric"], r["value"], r["value_why"])
END
# where to look them up
"$ASSAY" list formulas k10 -j | grep -e '"name":"l2_misses'
