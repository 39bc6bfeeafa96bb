package paste

import "bytes"

// dismiss reports whether a line cannot start any known output. It runs for every log line, so it checks only the first bytes.
func dismiss(b []byte) bool {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	b = b[i:]
	if len(b) < 4 {
		return len(b) < 3 || string(b) != "```"
	}
	switch c := b[0]; {
	case isDigit(c):
		if isStamp(b) {
			return true
		}
	case c == 'I' || c == 'W' || c == 'E' || c == 'F':
		if digits(b, 1, 4) { // klog
			return true
		}
	case c == '[':
		if b[1] == ' ' || isDigit(b[1]) && b[3] != ':' { // kernel ring buffer
			return true
		}
	case c == '{', c == '"', c == ']', c == '}', c == '<':
		return true
	case c == 't':
		if len(b) > 5 && string(b[:5]) == "time=" && !fatal(b) {
			return true
		}
	}
	if isSyslog(b) {
		return true
	}
	return !mayStart(b)
}

// isSyslog reports whether a line starts with a time as in "Jan  2 15:04:05".
func isSyslog(b []byte) bool {
	if len(b) <= 12 || b[3] != ' ' {
		return false
	}
	return b[6] == ' ' && b[9] == ':' && b[12] == ':'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isStamp reports whether a line starts with a date, like most log lines.
func isStamp(b []byte) bool {
	return digits(b, 0, 4) && (b[4] == '-' || b[4] == '/') && digits(b, 5, 2)
}

func digits(b []byte, from, n int) bool {
	if len(b) <= from+n {
		return false
	}
	for _, c := range b[from : from+n] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// fatal reports whether level=fatal is near the start: crictl logs it if the runtime does not respond.
func fatal(b []byte) bool { return bytes.Contains(b[:min(len(b), 60)], []byte("level=fatal")) }

// longestLabel is the maximum length of a label that people add before systemctl output ("Status: ● kubelet.service"), in bytes.
const longestLabel = 24

// mayStart checks what starts have in common: a known first word, a gap after the first column, or a prompt.
func mayStart(b []byte) bool {
	if b[0] >= 0x80 || b[0] == 0x1b {
		return true
	}
	if bytes.IndexByte(b[:min(len(b), longestLabel)], 0xe2) > 0 { // the dot of a unit after a label
		return true
	}
	head := b[:min(len(b), 100)]
	for _, c := range []byte("$#>%`<") { // prompts, and commands in prose
		if bytes.IndexByte(head, c) >= 0 {
			return true
		}
	}
	if space := bytes.IndexByte(head, ' '); space >= 0 && space+1 < len(head) && head[space+1] == ' ' || bytes.IndexByte(head, '\t') >= 0 {
		return true // the gap after the first column
	}
	word := 0
	for word < len(head) && !wordEnds[head[word]] {
		word++
	}
	if _, ok := starts[string(b[:word])]; ok || bareTools[string(b[:word])] {
		return true
	}
	return word > 0 && shapedWord(b, word)
}

// wordEnds are the bytes after the first word of a line.
var wordEnds = [256]bool{' ': true, '\t': true, ':': true, '=': true, '(': true}

// shapedWord reports whether the first or second word has a format that a shaped starter reads.
func shapedWord(b []byte, word int) bool {
	first, second := b[:word], b[word:]
	switch c := b[0]; {
	case isDigit(c):
		// "2: eth0: <...>", "10.0.0.0/8 via ...", "91s Warning ..."
		return len(second) > 1 && second[0] == ':' || bytes.IndexByte(first, '.') > 0 || isUnit(first[len(first)-1])
	case c == '[' || c == 'm':
		return bytes.HasPrefix(b, []byte("[map")) || bytes.HasPrefix(b, []byte("map["))
	case c == '*':
		return true
	}
	if dot := bytes.IndexByte(first, '.'); dot > 0 { // net.ipv4.ip_forward = 1, kubelet.service - ...
		if dot <= 6 && len(second) > 1 && (second[0] == '=' || second[1] == '=') {
			return true
		}
		if len(second) > 1 && second[1] == '-' {
			return true
		}
	}
	// "x on /y type z", "x has address y", "name Ready ..." , "namespace 5m Warning ..."
	if len(second) > 4 && second[0] == ' ' {
		return shapedSecond(second[1:])
	}
	return false
}

// shapedSecond reports whether a text of at least four bytes starts like the second word of such a line.
func shapedSecond(b []byte) bool {
	switch c := b[0]; c {
	case 'R', 'N', 'T', 'F', 'U': // states: Ready, NotReady, Terminating, Failed, Unknown
		return true
	case 'o', 'h':
		return string(b[:4]) == "on /" || string(b[:4]) == "has "
	default:
		return isDigit(c)
	}
}

// isUnit reports whether a byte is the unit of an age.
func isUnit(c byte) bool {
	switch c {
	case 's', 'm', 'h', 'd', 'y':
		return true
	}
	return false
}
