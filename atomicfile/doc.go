// Package atomicfile writes files atomically: a file appears complete or not at all. It replaces only regular files,
// and only if requested.
//
// It writes to a temporary file with a random name in the same folder, ".nodetriage-*.tmp", mode 0600. It renames the
// file after the content is synced to disk. An error removes the temporary file; only SIGKILL leaves it behind.
//
// The final name is never opened for writing, so devices, FIFOs and sockets receive no data. A hard link keeps its
// content under its other names. A symbolic link is replaced, and its target stays unchanged.
package atomicfile
