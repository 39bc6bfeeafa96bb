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
	if what, lines := n.announces(before, s[from:end], rest); what != nothing {
		l.awaits = awaited{what, n, depth(s[head:tail]), lines}
	}
}

// announces returns what follows the line with the name, and within how many lines.
func (n *name) announces(before, name, rest string) (what, int) {
	isFlag := strings.HasPrefix(strings.TrimLeft(name, "\"'"), "-")
	last := strings.Trim(rest, "\"',\\ ") == ""
	colon := strings.HasSuffix(rest, ":")
	switch {
	case isFlag:
		if alone := before == "" || strings.HasSuffix(rest, `\`); alone && last && !n.weakFlag() {
			return theNext, 1
		}
	case last && strings.HasSuffix(before, "name:"):
		return theValue, 3
	case colon && before == "" && strings.Trim(rest, "\"': s") == "":
		return theScalar, 1
	case colon && !strings.ContainsAny(rest, "=\""):
		return theLine, 3
	}
	return nothing, 0
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
	return singleWord(s, v)
}

// singleWord returns the only word of the line after a sentence.
func singleWord(s string, v span) []span {
	word := s[v.lo:v.hi]
	if len(word) < 6 || strings.ContainsAny(word, " \t:()") || ordinaryWord(word) || placeholder(word) {
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
