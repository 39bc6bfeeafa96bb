package logline

import "strings"

// HostIn returns where the head of a line names the machine, as journald and syslog do; 0, 0: it does not.
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

// isHost returns the bounds of a word that can be a machine's name; a level or a field of a message stands there too.
func isHost(word string, from int) (int, int) {
	lower := false
	for _, b := range []byte(word) {
		lower = lower || isLower(b)
		if !hostByte(b) {
			return 0, 0
		}
	}
	if lower { // no level is written so there
		return from, from + len(word)
	}
	if _, level := levels[word]; level {
		return 0, 0
	}
	return from, from + len(word)
}

// startsWithWriter reports whether a text begins with "program: " or "program[1]: ".
func startsWithWriter(text string) bool {
	program, rest, ok := cutField(text, func(b byte) bool { return isSpace(b) || b == ':' || b == '[' })
	if !ok || program == "" {
		return false
	}
	if id, open := strings.CutPrefix(rest, "["); open {
		rest = strings.TrimPrefix(skipDigits(id), "]")
	}
	return strings.HasPrefix(rest, ": ")
}

// hostByte reports whether a machine's name can have that byte.
func hostByte(b byte) bool {
	letter := b|0x20 >= 'a' && b|0x20 <= 'z'
	return letter || isDigit(b) || strings.IndexByte("-._", b) >= 0
}
