package redact

import "strings"

// awaited is what a line announces for the next lines.
type awaited struct {
	what   what
	name   *name
	indent int
	lines  int // remaining lines
}

type what int

const (
	nothing   what = iota
	theNext        // --password, whose value is the next argument
	theValue       // name: DB_PASSWORD, whose value is in the field value
	theScalar      // password: with a value, or a list of values, below
	theLine        // a sentence that announces a password
)

// endsOpen reports whether a line may continue after this text: only punctuation follows, or it ends with a colon.
func endsOpen(rest string) bool {
	rest = strings.TrimRight(rest, " \t\r")
	return len(rest) <= 8 && strings.Trim(rest, "\"'\\,: s") == "" || strings.HasSuffix(rest, ":")
}

var unmarked = strings.NewReplacer(`"`, "", "'", "", `\`, "", "`", "")

// expect records what the line announces. end is the end of the name of a secret without a value.
func (l *Lines) expect(s string, n *name, from, end int) {
	if !strings.HasPrefix(s, jsonHead) && !endsOpen(s[end:]) {
		return
	}
	head, tail := logHead(s)
	if from < head || end > tail {
		return
	}
	rest := strings.TrimRight(s[end:tail], " \t\r")
	before := strings.Trim(unmarked.Replace(s[head:from]), " \t-[")
	switch {
	case strings.HasPrefix(strings.TrimLeft(s[from:end], "\"'"), "-"):
		if alone := before == "" || strings.HasSuffix(rest, `\`); alone && strings.Trim(rest, "\"',\\ ") == "" && !n.weakFlag() {
			l.awaits = awaited{theNext, n, depth(s[head:tail]), 1}
		}
	case strings.Trim(rest, "\"',\\ ") == "" && strings.HasSuffix(before, "name:"):
		l.awaits = awaited{theValue, n, depth(s[head:tail]), 3}
	case strings.Trim(rest, "\"': s") == "" && strings.HasSuffix(rest, ":") && before == "":
		l.awaits = awaited{theScalar, n, depth(s[head:tail]), 1}
	case strings.HasSuffix(rest, ":") && !strings.ContainsAny(rest, "=\""):
		l.awaits = awaited{theLine, n, depth(s[head:tail]), 3}
	}
}

// weakFlag reports whether the flag with this name may have a value that is not a secret.
func (n *name) weakFlag() bool {
	return n.word == "key" && n.weak || n.word == "auth" || n.word == "pin"
}

// given returns the value that the previous line announced.
func (l *Lines) given(s string, head, tail int) []span {
	a := l.awaits
	if a.what == nothing {
		return nil
	}
	body := s[head:tail]
	text := strings.TrimSpace(body)
	if l.awaits.lines--; l.awaits.lines <= 0 || text != "" && a.what == theLine {
		l.awaits = awaited{}
	}
	if text == "" {
		return nil
	}
	v := span{lo: head + strings.Index(body, text), kind: a.name.kind}
	v.hi = v.lo + len(text)
	list := strings.HasPrefix(text, "- ")
	if list {
		v.lo = skip(s, v.lo, "- ", 8)
	}
	if a.what == theLine && list {
		a.what, a.indent = theScalar, 0
	}
	switch a.what {
	case theNext:
		return a.argument(s, v)
	case theValue:
		return l.valueOf(s, v)
	case theScalar:
		return l.scalar(s, v, a, depth(body), list)
	}
	// A single word on the line after a sentence.
	if word := s[v.lo:v.hi]; len(word) < 6 || strings.ContainsAny(word, " \t:()") || ordinaryWord(word) || placeholder(word) {
		return nil
	}
	return []span{v}
}

// ordinaryWord reports whether the text is an ordinary word, a number, or the name of an object or file.
func ordinaryWord(word string) bool {
	return plainWord(word) || nameLike(word) || isNumber(word) || isPath(word)
}

// argument returns the first argument of the line.
func (a awaited) argument(s string, v span) []span {
	if lo, hi, ok := inQuotes(s[:v.hi], v.lo); ok {
		v.lo, v.hi = lo, hi
	} else {
		v.hi = min(v.hi, bareEnd(s, v.lo))
	}
	if v.lo >= v.hi || !secretArgument(s[v.lo:v.hi]) {
		return nil
	}
	return []span{v}
}

// valueOf returns the value for the name on the previous line.
func (l *Lines) valueOf(s string, v span) []span {
	p := skip(s, v.lo, `"'\`, 4)
	if !hasPrefixFold(s[p:v.hi], "value") {
		return nil
	}
	p, _ = closeQuote(s, p+len("value"))
	if p = skip(s, p, " \t", 8); p >= v.hi || s[p] != ':' {
		return nil
	}
	l.awaits = awaited{}
	v.lo = skip(s, p+1, " \t", 40)
	v = unquotedValue(s, v)
	if v.lo >= v.hi || placeholder(s[v.lo:v.hi]) {
		return nil
	}
	return []span{v}
}

// scalar returns the value below its name, or an element of a list below it.
func (l *Lines) scalar(s string, v span, a awaited, d int, list bool) []span {
	if d < a.indent || d == a.indent && !list {
		return nil
	}
	if list { // the next elements too
		a.lines = 2
		l.awaits = a
	}
	v = unquotedValue(s, v)
	if v.lo >= v.hi || strings.Contains(s[v.lo:v.hi], ": ") || strings.HasSuffix(s[v.lo:v.hi], ":") {
		l.awaits = awaited{}
		return nil
	}
	if a.name.spares(value{v.lo, v.hi, tight}, s) || a.name.weak && strings.Contains(s[v.lo:v.hi], " ") {
		return nil
	}
	return []span{v}
}
