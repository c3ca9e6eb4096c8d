#!/bin/sh
# Measure all rules again and write the counts and docs/rules.md (docs/maintainers.md, "Measure again").
# The attempt logs are looked for where VERULAW_ATTEMPTS says, else beside the checkout.
set -u
cd "$(dirname "$0")/.." || exit 2
python=${PYTHON:-.venv/bin/python}
logs=${VERULAW_ATTEMPTS:-../shared/attempts}
own=verulaw_gate/corpora
wrong=0
measure() {
    name=$1
    shift
    echo "== $name"
    "$python" -m verulaw_gate calibrate --name "$name" \
        --counts verulaw_gate/gate/calibration.json --docs docs/rules.md "$@" \
        | sed -n -e '/^All predictive/,/^$/p' -e '/^False rejects/,$p'
}
for name in vericoding-dev vericoding-dev-neutral; do
    if [ -f "$logs/$name.jsonl" ]; then
        measure "$name" "$logs/$name.jsonl"
    else
        echo "== $name: not measured, there is no $logs/$name.jsonl"
        wrong=1
    fi
done
measure proof-protocol "$own/proof-protocol-a.jsonl" "$own/proof-protocol-b.jsonl"
exit $wrong
