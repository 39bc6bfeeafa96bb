#!/bin/sh
# dpkg passes "remove" or "upgrade"; rpm passes the number of versions that remain.
set -e
case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac
[ -d /run/systemd/system ] || exit 0
systemctl disable --now nodetriage-agent.service
