package logline

import "strings"

// HostIn returns the bounds of the machine's name in the head of a line, as journald and syslog write it; 0, 0 if there is
// none.
func HostIn(line string) (from, to int) {
	line = line[:min(len(line), headLength)]
	if stamp, host, _, ok := readSyslog(line); ok {
		rest := line[len(stamp):]
		from = len(stamp) + strings.IndexByte(rest, ' ') + 1
		return isHost(host, from)
	}
	if !startsWithDate(line) {
		return 0, 0
	}
	stamp, rest, _ := strings.Cut(line, " ")
	host, rest, ok := cutField(rest, isSpace)
	if !ok || rest[0] != ' ' || !startsWithWriter(rest[1:]) {
		return 0, 0
	}
	return isHost(host, len(stamp)+1)
}

// isHost returns the bounds of a word that can be a machine's name. A level or a field of a message can be at the same
// position.
func isHost(word string, from int) (int, int) {
	lower := false
	for _, b := range []byte(word) {
		lower = lower || isLower(b)
		if !hostByte(b) {
			return 0, 0
		}
	}
	if lower { // no level has this form
		return from, from + len(word)
	}
	if _, level := levels[word]; level {
		return 0, 0
	}
	return from, from + len(word)
}

// startsWithWriter reports whether a text begins with "program[1]: " or "kernel: ". Without a process id, the words after a date
// can also be the begin of a message, such as "mount error: ...".
func startsWithWriter(text string) bool {
	program, rest, ok := cutField(text, func(b byte) bool { return isSpace(b) || b == ':' || b == '[' })
	if !ok || program == "" {
		return false
	}
	id, open := strings.CutPrefix(rest, "[")
	if !open {
		return program == "kernel" && strings.HasPrefix(rest, ": ")
	}
	return strings.HasPrefix(skipDigits(id), "]: ")
}

// hostByte reports whether a machine's name can contain that byte.
func hostByte(b byte) bool {
	letter := b|0x20 >= 'a' && b|0x20 <= 'z'
	return letter || isDigit(b) || strings.IndexByte("-._", b) >= 0
}
