#!/bin/sh
# Fuzzes the studio by its own OpenAPI document with Schemathesis, a tool that knows nothing of this project.
# Usage: test/schemathesis.sh [examples an operation]. SCHEMATHESIS names the program where it is not on PATH.
set -eu
cd "$(dirname "$0")/.."

schemathesis=${SCHEMATHESIS:-schemathesis}
if ! schemathesis=$(command -v "$schemathesis"); then
  echo "Schemathesis skipped: the program is not installed (pip install schemathesis==4.32.5)"
  exit 0
fi

folder=$(mktemp -d)
studio=
finish() {
  [ -z "$studio" ] || kill "$studio" 2>/dev/null || true
  [ -z "$studio" ] || wait "$studio" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

GREENLIGHT_STUDIO_KEY=key-of-the-fuzz node --import tsx cli/main.ts studio --port 0 --render stub --data "$folder/data" --json \
  >"$folder/where" 2>"$folder/errors" &
studio=$!
until [ -s "$folder/where" ]; do
  kill -0 "$studio" 2>/dev/null || { cat "$folder/errors"; echo "Cannot fuzz the studio: it did not start"; exit 1; }
  sleep 0.2
done
url=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).url' "$folder/where")

# Left out: that all data of the right form are accepted. A reference must have been uploaded and a file must be what it
# says, which no schema can tell. The time limit is wide, since it judges the machine rather than the studio.
status=0
cd "$folder" # where it may leave what it keeps of a run
"$schemathesis" run "${url%/v1}/openapi.json" \
  --header "Authorization: Bearer key-of-the-fuzz" \
  --checks all \
  --exclude-checks positive_data_acceptance \
  --max-examples "${1:-50}" --seed 1 --workers 1 --request-timeout 120 --max-response-time 120 --no-color || status=$?

if [ -s "$folder/errors" ]; then
  grep -v -e '^Its interface' "$folder/errors" && { echo "The studio reported errors of its own"; status=1; } || true
fi
exit "$status"
