package logline

import "strings"

const clockForm = "00:00:00"

// firstClock returns the index of the next clock of hours, minutes and seconds; -1 if there is none. Every time stamp except
// one in seconds has a clock, and few lines contain anything similar. This makes the reading of heads fast.
func firstClock(text string, from int) int {
	for i := from; ; {
		colon := strings.IndexByte(text[i:], ':')
		if colon < 0 {
			return -1
		}
		i += colon
		if start := i - 2; start >= from && hasForm(text, start, clockForm) {
			return start
		}
		i++
	}
}

// stampIn finds the first date with a clock, its fraction and its zone, like the expression rfc3339.
func stampIn(text string) (from, to int, ok bool) {
	for at := firstClock(text, 0); at >= 0; at = firstClock(text, at+1) {
		if from := at - dateLength; from >= 0 && isDate(text[from:at]) {
			to := at + len(clockForm)
			to += fractionLength(text[to:])
			return from, to + zoneLength(text[to:]), true
		}
	}
	return 0, 0, false
}

// dateLength is the length of "2006-01-02T".
const dateLength = 11

func startsWithDate(text string) bool { return len(text) >= dateLength && isDate(text[:dateLength]) }

// isDate reports whether a text of dateLength is a date and what separates it from the clock.
func isDate(text string) bool {
	for i, form := range []byte("0000-00-00T") {
		b := text[i]
		switch form {
		case '0':
			if !isDigit(b) {
				return false
			}
		case '-':
			if b != '-' && b != '/' {
				return false
			}
		default:
			if b != 'T' && b != ' ' {
				return false
			}
		}
	}
	return true
}

const mostDigits = 9 // digits of a fraction of a second

// fractionLength returns the length of ".123456789" or ",123" at the start of the text.
func fractionLength(text string) int {
	if text == "" || text[0] != '.' && text[0] != ',' {
		return 0
	}
	if n := digitsAt(text[1:]); n > 0 {
		return 1 + min(n, mostDigits)
	}
	return 0
}

// zoneLength returns the length of "Z", "+01:00" or "+0100" at the start of the text.
func zoneLength(text string) int {
	switch {
	case strings.HasPrefix(text, "Z"):
		return 1
	case text == "" || text[0] != '+' && text[0] != '-':
		return 0
	case hasForm(text, 1, "00:00"):
		return len("+00:00")
	case hasForm(text, 1, "0000"):
		return len("+0000")
	}
	return 0
}

func digitsAt(text string) int { return len(text) - len(skipDigits(text)) }

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// klogIn finds the first head of klog, "E0102 15:04:05.123456 ", like the expression klog. It returns the start of the match,
// and the month, day and clock.
func klogIn(text string) (from int, stamp string, ok bool) {
	for at := firstClock(text, 0); at >= 0; at = firstClock(text, at+1) {
		level := at - len("E0102 ")
		if level < 0 || !hasForm(text, level+1, "0000 ") || !strings.Contains("IWEF", text[level:level+1]) {
			continue
		}
		if level > 0 && !isSpace(text[level-1]) && text[level-1] != ':' && text[level-1] != '"' {
			continue
		}
		end := at + len(clockForm)
		n := fractionLength(text[end:])
		if end += n; n == 0 || text[end-n] != '.' || end == len(text) || !isSpace(text[end]) {
			continue
		}
		return max(level-1, 0), text[level+1 : end], true
	}
	return 0, "", false
}
