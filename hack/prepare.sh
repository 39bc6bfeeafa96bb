#!/usr/bin/env bash
# Gives the computer what the tests need besides Go and git: packages of Debian for the race detector and for the lab's real
# nodes, and room for what those watch. Without root and Debian it says in one line what is missing and which tests are skipped.
set -euo pipefail
missing=()
# needs PROGRAM PACKAGE...: the packages that have a program which is not there.
needs() { command -v "$1" >/dev/null || missing+=("${@:2}"); }
needs make make
needs gcc gcc libc6-dev # the race detector, and runc
needs ip iproute2       # network namespaces
needs unshare util-linux
needs mkfs.ext4 e2fsprogs # a small file system to fill
needs hostname hostname
needs iptables iptables
needs mmdebstrap mmdebstrap # the root of nodes with systemd
needs strace strace         # what node-check does to a node
dpkg -s busybox-static >/dev/null 2>&1 || missing+=(busybox-static) # what runs in the canary's containers
pkg-config --exists libseccomp 2>/dev/null || missing+=(pkg-config libseccomp-dev)
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } ||
      echo "prepare: ${missing[*]}: could not be installed; tests that need them are skipped" >&2
  else
    echo "prepare: ${missing[*]}: not installed, which needs root on Debian; tests of real nodes are skipped" >&2
  fi
elif [ "$(id -u)" != 0 ]; then
  echo "prepare: not root: tests of real nodes are skipped" >&2
fi

# Each real node watches many files; with the kernel's default few of them run side by side.
watches=/proc/sys/fs/inotify/max_user_instances
if [ -e $watches ] && [ "$(cat $watches)" -lt 1024 ]; then
  { echo 1024 > $watches; } 2>/dev/null || echo "prepare: $watches is $(cat $watches), less than 1024: fewer real nodes run at once" >&2
fi
