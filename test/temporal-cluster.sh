#!/usr/bin/env bash
# Gets a Temporal server that runs on PostgreSQL into a cache, from its Go module (ten minutes of CPU): what the test of
# a fleet runs against. What is there stays; where it cannot be had, that test takes the dev server and says so.
set -euo pipefail
version=v1.32.1 # the newest that Go 1.26.8 builds
cache="${XDG_CACHE_HOME:-$HOME/.cache}/greenlight-temporal"
[ -x "$cache/server" ] && [ -x "$cache/sql" ] && exit
command -v go >/dev/null || { echo 'Go is not here: no Temporal cluster' >&2; exit; }
mkdir -p "$cache"
for part in server tools/sql; do
  GOBIN="$cache" CGO_ENABLED=0 go install -trimpath -ldflags '-s -w' "go.temporal.io/server/cmd/$part@$version"
done
