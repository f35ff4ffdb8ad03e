#!/usr/bin/env bash
# Gets the S3 servers that the archive's tests run against, into a cache: moto from PyPI, and versitygw from its Go
# module where Go is installed. What is there stays; where one cannot be had its suite is skipped, and says so.
set -euo pipefail
moto=5.2.1 versitygw=v1.8.0
cache="${XDG_CACHE_HOME:-$HOME/.cache}/greenlight-s3"
mkdir -p "$cache"
if [ ! -x "$cache/moto/bin/moto_server" ]; then
  python3 -m venv "$cache/moto" && "$cache/moto/bin/pip" install --quiet "moto[server,s3]==$moto" ||
    { rm -rf "$cache/moto"; echo 'moto cannot be installed: its suite is skipped' >&2; }
fi
if [ ! -x "$cache/versitygw" ] && command -v go >/dev/null; then
  GOBIN="$cache" go install "github.com/versity/versitygw/cmd/versitygw@$versitygw" ||
    echo 'versitygw cannot be built: its suite is skipped' >&2
fi
