// Package atomicfile writes files that appear whole or not at all. It replaces regular files alone, and those only if told so.
//
// A file is written under a random name in its folder, ".nodetriage-*.tmp", readable by its owner alone, and gets its name when it
// is whole and on the disk. After an error nothing of it is left; only a process that is killed by force leaves such a file behind.
//
// The name is never opened for writing. So a device, a FIFO or a socket gets no byte, a hard link keeps its content under its other
// names, and a symbolic link that somebody puts in place at the last moment is replaced itself, not the file that it points to.
package atomicfile
