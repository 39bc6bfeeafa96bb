#!/bin/sh
# The unit runs after the installation.
set -e
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
systemctl enable nodetriage-agent.service
systemctl restart nodetriage-agent.service
