#!/usr/bin/env bash
# Packs greenlight, installs it into an empty folder by each major version of Node given (default: 20 22 24) and uses it
# there: nothing is built at the install but what its dependencies build, and nothing is found by luck in the clone.
# The last version also gets the studio and makes a batch.
# Usage: test/package.sh [20 22 24]
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$#" -gt 0 ] || set -- 20 22 24
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --silent --pack-destination "$work" >/dev/null
npm pack --silent --workspace studio --pack-destination "$work" >/dev/null
version=$(node -p 'require("./package.json").version')
sheet=$PWD/manifests/examples/spring-launch.csv
fail() { echo "package.sh: $*" >&2; exit 1; }

for major in "$@"; do
  node=$work/node-$major
  npm install --silent --no-save --prefix "$node" "node@$major"
  # The headers that native dependencies are compiled with come with the binary.
  headers=$(dirname "$(dirname "$(find "$node/node_modules" -path '*/include/node/node_version.h' | head -n 1)")")
  app=$work/app-$major
  mkdir "$app"
  (
    cd "$app"
    export PATH="$node/node_modules/node/bin:$PATH" npm_config_nodedir="${headers%/include}"
    [ "$(node -p 'process.versions.node.split(".")[0]')" = "$major" ] || fail "Node $major was not installed"
    echo '{ "private": true }' >package.json
    packages=("$work/greenlight-$version.tgz")
    [ "$major" != "${!#}" ] || packages+=("$work/greenlight-studio-$version.tgz")
    npm install --silent --no-audit --no-fund "${packages[@]}"
    [ "$(npx greenlight --version)" = "$version" ] || fail "Node $major: --version says $(npx greenlight --version)"
    npx greenlight check "$sheet" >check.txt || fail "Node $major: check refuses the example: $(cat check.txt)"
    npx greenlight template sample.xlsx >template.txt || fail "Node $major: template: $(cat template.txt)"
    npx greenlight check sample.xlsx >check.txt || fail "Node $major: check refuses its own template: $(cat check.txt)"
    if [ "$major" = "${!#}" ]; then
      npx greenlight verify --help >/dev/null
      GREENLIGHT_STUDIO_RENDER=stub npx greenlight run sample.xlsx --budget 500USD --yes >run.txt 2>&1 ||
        fail "Node $major: run: $(cat run.txt)"
    else
      npx greenlight run sample.xlsx --budget 500USD --yes >run.txt 2>&1 && fail "Node $major: run needs no studio"
      grep -q 'greenlight-studio is not installed' run.txt || fail "Node $major: run without studio: $(cat run.txt)"
    fi
  )
  echo "Node $major: the package works"
done
