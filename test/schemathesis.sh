#!/bin/sh
# Fuzzes the studio by its own OpenAPI document with Schemathesis, a tool that knows nothing of this project.
# Usage: test/schemathesis.sh [examples an operation]. SCHEMATHESIS names the program; else it is installed, once, from
# the pinned versions beside this file. What it prints is shown when it finds something, and one line when it does not.
set -eu
cd "$(dirname "$0")/.."
examples=${1:-50}
tests=$PWD/test

fail() { echo "Cannot fuzz the studio: $1" >&2; exit 1; }

folder=$(mktemp -d)
studio=
finish() {
  [ -z "$studio" ] || kill "$studio" 2>/dev/null || true
  [ -z "$studio" ] || wait "$studio" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

install() {
  environment=$PWD/node_modules/.cache/schemathesis
  schemathesis=$environment/bin/schemathesis
  cmp -s "$tests/schemathesis-requirements.txt" "$environment/installed.txt" && return
  python3 -m venv --clear "$environment" >"$folder/installing" 2>&1 ||
    { cat "$folder/installing" >&2; fail "python3 makes no virtual environment, it needs the packages python3-venv and python3-pip"; }
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --retries 2 --timeout 30 \
    --requirement "$tests/schemathesis-requirements.txt" >"$folder/installing" 2>&1 ||
    { tail -n 5 "$folder/installing" >&2; fail "Schemathesis could not be installed, is the Python package index within reach of pip?"; }
  cp "$tests/schemathesis-requirements.txt" "$environment/installed.txt"
}

if [ -n "${SCHEMATHESIS:-}" ]; then
  schemathesis=$(command -v "$SCHEMATHESIS") || fail "there is no program $SCHEMATHESIS"
else
  install
fi

GREENLIGHT_STUDIO_KEY=key-of-the-fuzz node --import tsx cli/main.ts studio --port 0 --render stub --data "$folder/data" --json \
  >"$folder/where" 2>"$folder/errors" &
studio=$!
until [ -s "$folder/where" ]; do
  kill -0 "$studio" 2>/dev/null || { cat "$folder/errors" >&2; fail "it did not start"; }
  sleep 0.2
done
url=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).url' "$folder/where")

cd "$folder" # where it may leave what it keeps of a run
if ! "$schemathesis" --config-file "$tests/schemathesis.toml" --no-color run "${url%/v1}/openapi.json" \
  --header "Authorization: Bearer key-of-the-fuzz" --max-examples "$examples" >"$folder/said" 2>&1; then
  cat "$folder/said"
  fail "it does not keep to its OpenAPI document, see above"
fi
kill -0 "$studio" 2>/dev/null || { cat "$folder/errors" >&2; fail "it ended while it was asked"; }
if grep -v '^Its interface' "$folder/errors" >&2; then fail "it reported errors of its own, see above"; fi
cases=$(sed -n 's/^ *\([0-9]*\) generated, .*/\1/p' "$folder/said")
[ "${cases:-0}" -ge 100 ] || { cat "$folder/said"; fail "Schemathesis made only ${cases:-no} cases"; }
echo "The studio keeps to its OpenAPI document: $("$schemathesis" --version | sed 's/.* //') of Schemathesis tried $cases cases"
