package logline

import "strings"

// readSyslog reads the head `Jun 2 10:00:00 host program[1]:` like the expression. It is fast, because most lines have this
// head.
func readSyslog(line string) (stamp, host, program string, ok bool) {
	rest, ok := cutStamp(line)
	if !ok {
		return "", "", "", false
	}
	stamp = line[:len(line)-len(rest)]
	if fraction, dot := strings.CutPrefix(rest, "."); dot {
		if rest = skipDigits(fraction); rest == fraction {
			return "", "", "", false
		}
	}
	if rest, ok = strings.CutPrefix(rest, " "); !ok {
		return "", "", "", false
	}
	host, rest, ok = cutField(rest, isSpace)
	if !ok || rest[0] != ' ' {
		return "", "", "", false
	}
	program, rest, ok = cutField(rest[1:], func(b byte) bool { return isSpace(b) || b == ':' || b == '[' })
	if !ok {
		return "", "", "", false
	}
	if id, open := strings.CutPrefix(rest, "["); open {
		rest = skipDigits(id)
		if rest == id || !strings.HasPrefix(rest, "]:") {
			return "", "", "", false
		}
		return stamp, host, program, true
	}
	return stamp, host, program, rest[0] == ':'
}

// readUnhosted reads the head `Jun 2 10:00:00 program[1]:` of journalctl --no-hostname.
func readUnhosted(line string) (stamp, program string, ok bool) {
	rest, ok := cutStamp(line)
	if !ok {
		return "", "", false
	}
	stamp = line[:len(line)-len(rest)]
	if fraction, dot := strings.CutPrefix(rest, "."); dot {
		rest = skipDigits(fraction)
	}
	rest, ok = strings.CutPrefix(rest, " ")
	if !ok || !startsWithWriter(rest) {
		return "", "", false
	}
	program, _, _ = cutField(rest, func(b byte) bool { return b == ':' || b == '[' })
	return stamp, program, true
}

// cutStamp returns the text after `Jun 2 10:00:00`.
func cutStamp(line string) (rest string, ok bool) {
	if len(line) < len("Jun 2") || !isMonth(line) || line[3] != ' ' {
		return "", false
	}
	day := 4
	if line[day] == ' ' {
		day++
	}
	rest = skipDigits(line[day:])
	if n := len(line) - day - len(rest); n < 1 || n > 2 || !hasForm(rest, 0, " 00:00:00") {
		return "", false
	}
	return rest[len(" 00:00:00"):], true
}

// cutField cuts the line at the end of the field. Neither part is empty.
func cutField(line string, end func(byte) bool) (field, rest string, ok bool) {
	for i := range len(line) {
		if end(line[i]) {
			return line[:i], line[i:], i > 0
		}
	}
	return "", "", false
}

func skipDigits(s string) string { return strings.TrimLeft(s, "0123456789") }

// isMonth reports whether a line begins with three letters in the form of a month.
func isMonth(line string) bool {
	capital := line[0] >= 'A' && line[0] <= 'Z'
	return capital && isLower(line[1]) && isLower(line[2])
}

func isLower(b byte) bool { return b >= 'a' && b <= 'z' }
