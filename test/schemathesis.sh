#!/bin/sh
# Fuzzes the studio and the interface for other systems, each by its own OpenAPI document, with Schemathesis, a tool that
# knows nothing of this project.
# Usage: test/schemathesis.sh [examples an operation] [studio|api]. SCHEMATHESIS names the program; else it is installed,
# once, from the pinned versions beside this file. What it prints is shown when it finds something, and one line when not.
set -eu
cd "$(dirname "$0")/.."
examples=${1:-50}
only=${2:-}
tests=$PWD/test
root=$PWD

fail() { echo "Cannot fuzz ${name:-}: $1" >&2; exit 1; }

folder=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$server" ] || wait "$server" 2>/dev/null || true
  server=
}
finish() {
  stop
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

field() { node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))[process.argv[2]] ?? ""' "$folder/where" "$1"; }

# fuzz NAME SETTINGS COMMAND...: the command starts a server and prints {"url", "token"} once it answers.
fuzz() {
  name=$1 settings=$2
  shift 2
  rm -f "$folder/where"
  "$@" >"$folder/where" 2>"$folder/errors" &
  server=$!
  until [ -s "$folder/where" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$folder/errors" >&2; fail "it did not start"; }
    sleep 0.2
  done
  url=$(field url)
  case $name in studio) document=${url%/v1}/openapi.json ;; *) document=$url/openapi.json ;; esac
  cd "$folder" # where it may leave what it keeps of a run
  if ! "$schemathesis" --config-file "$tests/$settings" --no-color run "$document" \
    --header "Authorization: Bearer ${token:-$(field token)}" --max-examples "$examples" >"$folder/said" 2>&1; then
    cat "$folder/said"
    fail "it does not keep to its OpenAPI document, see above"
  fi
  cd "$root"
  kill -0 "$server" 2>/dev/null || { cat "$folder/errors" >&2; fail "it ended while it was asked"; }
  if grep -v '^Its interface' "$folder/errors" >&2; then fail "it reported errors of its own, see above"; fi
  cases=$(sed -n 's/^ *\([0-9]*\) generated, .*/\1/p' "$folder/said")
  [ "${cases:-0}" -ge 100 ] || { cat "$folder/said"; fail "Schemathesis made only ${cases:-no} cases"; }
  stop
  echo "The $name keeps to its OpenAPI document: $("$schemathesis" --version | sed 's/.* //') of Schemathesis tried $cases cases"
}

case $only in '' | studio)
  token=key-of-the-fuzz
  export GREENLIGHT_STUDIO_KEY=$token
  fuzz studio schemathesis.toml node --import tsx cli/main.ts studio --port 0 --render stub --data "$folder/data" --json
  unset token
  ;;
esac
case $only in '' | api) fuzz api schemathesis-api.toml node --import tsx test/web/api/serve-scene.ts ;; esac
