# Hypothesis 4 on a Cortex-A76 against the truth that the simulator knows: its
# events count page walks besides demand accesses, and nothing else. So the
# total is larger by the walks' L1D lookups, and each level's part by the
# walks that it served.
"$ASSAY" sweep random --on sim:cortex-a76 --bytes 4K..16M --accesses 1000000 \
	--formulas arm-pies -j | python3 -c '
import json, sys
terms, pies = None, {}
checked = different = walked = 0
def check():
    global checked, different, walked
    if not terms:
        return
    h4, true = pies["h4"], pies["true"]
    walk = lambda event: sum(v for t, v in terms[event].items() if "walk" in t)
    l1, l1m = walk("L1D_CACHE"), walk("L1D_CACHE_REFILL")
    l2m, l3m = walk("L2D_CACHE_REFILL"), walk("L3D_CACHE_REFILL")
    extra = {"total": l1, "l1": l1 - l1m, "l2": l1m - l2m, "l3": l2m - l3m,
             "dram": l3m}
    checked += 1
    walked += l1 > 0
    for part, more in extra.items():
        if h4[part] - true[part] != more:
            print("differs by more than page walks:", part, h4, true, extra)
            different += 1
for line in sys.stdin:
    o = json.loads(line)
    if o["t"] == "record":
        check()
        terms = {e["name"]: {t["name"]: t["value"] for t in
                             e.get("terms", [])} for e in o["events"]}
        pies = {}
    elif o["t"] == "pie":
        pies[o["hypothesis"]] = o
check()
print(checked, "sizes,", walked, "of them with page walks:",
      different, "unexplained differences")
'
