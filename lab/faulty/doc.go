// Package faulty is a proxy between a program and a real API server. It serves lists in small pages, records the reads
// of the program, and lets one page of one list fail on request. Its tests run every command of nodetriage through it:
// no command may draw a conclusion from a list that it could not read completely.
package faulty
