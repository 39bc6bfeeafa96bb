// Package faulty stands between a program and a real API server. It serves lists in small pages, records what the program
// reads, and lets one page of one list fail in the way that is asked for. Its tests run every command of nodetriage behind
// it: no command may conclude anything from a list that it could not read to the end.
package faulty
