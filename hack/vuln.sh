#!/usr/bin/env bash
# Runs govulncheck. It fails on a finding, and where it could not check: not to know is not to be clean. With OFFLINE=1 a
# machine that reaches neither the tool nor its database goes on, and the log says that nothing was checked.
set -euo pipefail

unchecked() {
  if [ "${OFFLINE:-}" = 1 ]; then
    echo "OFFLINE=1: vulnerabilities were NOT CHECKED: $1"
    exit 0
  fi
  echo "vulnerabilities could not be checked: $1" >&2
  echo "hint: OFFLINE=1 goes on without the check" >&2
  exit 1
}

# govulncheck reads the whole program, which takes a minute, before it asks the database.
if [ "${OFFLINE:-}" = 1 ] && command -v curl >/dev/null; then
  curl -fsS -o /dev/null --max-time 10 https://vuln.go.dev/index/db.json || unchecked "the database cannot be reached"
fi

bin=$(pwd)/bin/tools
GOBIN=$bin "${GO:-go}" install "$1" >/dev/null 2>&1 || unchecked "govulncheck cannot be installed here"

code=0
"$bin/govulncheck" ./... || code=$?
case $code in
0) ;;
3) exit 3 ;; # vulnerabilities found
*) unchecked "govulncheck ended with $code" ;;
esac
