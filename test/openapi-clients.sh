#!/bin/sh
# Generates clients from the studio's OpenAPI document, in TypeScript and in Python, and makes a movie with each. The
# generators are installed, once, from the pinned versions in test/openapi-clients. Without python3 that part is skipped.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
sources=$root/test/openapi-clients
tools=$root/node_modules/.cache/openapi-clients
key=key-of-the-clients

fail() { echo "Cannot try the generated clients: $1" >&2; exit 1; }

folder=$(mktemp -d)
studio=
finish() {
  [ -z "$studio" ] || kill "$studio" 2>/dev/null || true
  [ -z "$studio" ] || wait "$studio" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT TERM

quietly() { "$@" >"$folder/said" 2>&1 || { cat "$folder/said" >&2; fail "$1 failed, see above"; }; }

mkdir -p "$tools"
if ! cmp -s "$sources/package.json" "$tools/installed.json"; then
  cp "$sources/package.json" "$tools/package.json"
  quietly npm install --prefix "$tools" --no-audit --no-fund --silent
  cp "$sources/package.json" "$tools/installed.json"
fi
python=
if ! command -v python3 >/dev/null; then
  echo "Python client skipped: there is no python3"
elif ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
  echo "Python client skipped: python3 makes no virtual environment, it needs the package python3-venv"
else
  python=$tools/python/bin/python
  if ! cmp -s "$sources/requirements.txt" "$tools/python/installed.txt"; then
    quietly python3 -m venv --clear "$tools/python"
    quietly "$python" -m pip install --quiet --disable-pip-version-check --requirement "$sources/requirements.txt"
    cp "$sources/requirements.txt" "$tools/python/installed.txt"
  fi
fi

GREENLIGHT_STUDIO_KEY=$key node --import tsx cli/main.ts studio --port 0 --render stub --data "$folder/data" --json \
  >"$folder/where" 2>"$folder/errors" &
studio=$!
until [ -s "$folder/where" ]; do
  kill -0 "$studio" 2>/dev/null || { cat "$folder/errors" >&2; fail "the studio did not start"; }
  sleep 0.2
done
url=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).url' "$folder/where")
quietly node -e 'fetch(process.argv[1]).then((answer) => answer.text()).then((text) => fs.writeFileSync(process.argv[2], text))' \
  "${url%/v1}/openapi.json" "$folder/openapi.json"

cp "$sources/package.json" "$sources/use-client.mjs" "$folder"
ln -s "$tools/node_modules" "$folder/node_modules"
cd "$folder"
quietly "$tools/node_modules/.bin/openapi-typescript" openapi.json --output schema.d.ts
quietly "$tools/node_modules/.bin/tsc" --noEmit --strict --allowJs --module nodenext --target es2022 --lib es2022,dom,dom.iterable \
  --skipLibCheck --typeRoots "$root/node_modules/@types" --types node use-client.mjs
quietly node use-client.mjs "$url" "$key"
if [ -n "$python" ]; then
  PATH="$tools/python/bin:$PATH" quietly "$tools/python/bin/openapi-python-client" generate --path openapi.json \
    --meta none --output-path studio_client --fail-on-warning
  cp "$sources/use_client.py" .
  quietly "$python" use_client.py "$url" "$key"
fi
echo "A movie was made with each generated client: TypeScript${python:+, Python}"
