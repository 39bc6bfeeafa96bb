package redact

import "strings"

func commandClues() []clue {
	var out []clue
	for _, c := range commands() {
		text := c.word
		if len(text) < 3 {
			text += " "
		}
		out = append(out, clue{text: text, find: func(_ *Lines, s string, at, _ int, out []span) []span {
			if end := at + len(c.word); commandAt(s, at, end) {
				return c.find(s, end, out)
			}
			return out
		}})
	}
	special := func(text string, find func(s string, at, end int, out []span) []span) {
		out = append(out, clue{text: text, find: func(_ *Lines, s string, at, end int, out []span) []span { return find(s, at, end, out) }})
	}
	special("--from-literal", func(s string, _, end int, out []span) []span { return literal(s, end, out) })
	special("htpasswd", func(s string, _, end int, out []span) []span { return htpasswd(s, end, out) })
	special("net use ", func(s string, _, end int, out []span) []span { return netUse(s, end, out) })
	for _, verb := range []string{"vault kv put ", "vault kv patch ", "vault write "} {
		special(verb, func(s string, _, end int, out []span) []span { return settings(s, end, out) })
	}
	for _, consumer := range stdinConsumers {
		special(consumer, piped)
	}
	special("pass:", func(s string, at, end int, out []span) []span { // -passin pass:X of openssl
		if at > 1 && strings.IndexByte(" \t=\"'", s[at-1]) >= 0 && strings.Contains(s[max(0, at-12):at], "-pass") {
			return append(out, span{end, bareEnd(s, end), "password"})
		}
		return out
	})
	return out
}

// commandAt reports whether the word at the position is a command: it is not joined to another word.
func commandAt(s string, at, end int) bool {
	if at > 0 && (isWord(s[at-1]) || s[at-1] == '-' || s[at-1] == '_') {
		return false
	}
	if s[end-1] == ' ' || end == len(s) {
		return true
	}
	if hasPrefixFold(s[end:], ".exe") {
		return true
	}
	return strings.IndexByte(" \t\"'\\,\x00", s[end]) >= 0
}

// find redacts the secrets in the arguments after a command.
func (c *command) find(s string, end int, out []span) []span {
	args := arguments(s, end)
	for i := range args {
		for _, a := range c.args {
			if v, ok := a.value(s, args, i); ok && v.lo < v.hi && secretArgument(s[v.lo:v.hi]) {
				out = append(out, span{v.lo, v.hi, "password"})
				break
			}
		}
	}
	return out
}

// secretArgument reports whether an argument in the position of a secret is one: not a flag, a file or a placeholder.
func secretArgument(text string) bool {
	return text[0] != '-' && !placeholder(text) && !isPath(text)
}

const maxVerb = 3 // arguments before the verb of a command

// value returns the value of the argument whose flag or word is args[i]. Positions from the command count from the
// first argument.
func (a *secretArg) value(s string, args []span, i int) (span, bool) {
	text := s[args[i].lo:args[i].hi]
	v := span{}
	switch {
	case a.place > 0 && a.flag == "":
		if i > 0 || a.place > 1 && s[args[0].lo] == '-' {
			return v, false
		}
		v = nth(s, args, 0, a.place)
	case a.place > 0:
		if text != a.flag || i > maxVerb {
			return v, false
		}
		v = nth(s, args, i+1, a.place)
	case a.gluedTo(text):
		v = unquoted(s, a.rest(s, args[i]))
	case a.next && text == a.flag && i+1 < len(args):
		v = args[i+1]
	}
	if v.lo >= v.hi {
		return v, false
	}
	return a.behindSign(s, v)
}

// gluedTo reports whether the argument starts with the flag and contains its value: -psecret.
func (a *secretArg) gluedTo(text string) bool {
	if !a.glued || len(text) <= len(a.flag) {
		return false
	}
	return hasPrefixFold(text, strings.ToLower(a.flag)) && strings.HasPrefix(text, a.flag[:1])
}

// rest returns the text after the flag in the same argument.
func (a *secretArg) rest(s string, arg span) span {
	arg.lo += len(a.flag)
	switch {
	case s[arg.lo-len(a.flag):arg.lo] != a.flag && !strings.HasSuffix(a.flag, ":"):
		return span{} // -P is not -p
	case strings.HasPrefix(a.flag, "--") && s[arg.lo] == '=':
		arg.lo++
	case strings.HasPrefix(a.flag, "--") && !strings.HasSuffix(a.flag, ":"):
		return span{} // a longer flag
	}
	return arg
}

func (a *secretArg) behindSign(s string, v span) (span, bool) {
	if a.after == "" {
		return v, true
	}
	at := strings.Index(s[v.lo:v.hi], a.after)
	if at < 0 {
		return v, false
	}
	v.lo += at + len(a.after)
	if a.after == "/" || a.place > 0 { // scott/tiger@db
		if host := strings.LastIndexByte(s[v.lo:v.hi], '@'); host > 0 {
			v.hi = v.lo + host
		}
	}
	if a.flag == "-y" { // algorithm:key:secret
		if again := strings.LastIndexByte(s[v.lo:v.hi], ':'); again >= 0 {
			v.lo += again + 1
		}
	}
	return v, v.lo < v.hi
}

// nth returns the n-th argument that is not a flag, starting at from.
func nth(s string, args []span, from, n int) span {
	for i := from; i < len(args); i++ {
		if s[args[i].lo] == '-' {
			continue
		}
		if n--; n == 0 {
			return args[i]
		}
	}
	return span{}
}

// literal redacts the value of --from-literal=name=value.
func literal(s string, end int, out []span) []span {
	v := argumentAt(s, skip(s, end, "= ", 2))
	if at := strings.IndexByte(s[v.lo:v.hi], '='); at > 0 && v.lo+at+1 < v.hi {
		v.lo += at + 1
		v = unquoted(s, v)
		return append(out, span{v.lo, v.hi, "secret"})
	}
	return out
}

// settings redacts the values of name=value arguments.
func settings(s string, end int, out []span) []span {
	for _, v := range arguments(s, end) {
		if at := strings.IndexByte(s[v.lo:v.hi], '='); at > 0 && s[v.lo] != '-' {
			v.lo += at + 1
			if v = unquoted(s, v); v.lo < v.hi && !placeholder(s[v.lo:v.hi]) {
				out = append(out, span{v.lo, v.hi, "secret"})
			}
		}
	}
	return out
}

// htpasswd redacts the password after the file and the user, if a flag indicates one.
func htpasswd(s string, end int, out []span) []span {
	left, given := 2, false // arguments before the password
	for _, a := range arguments(s, end) {
		arg := s[a.lo:a.hi]
		switch {
		case strings.HasPrefix(arg, "-"):
			given = given || strings.Contains(arg, "b")
			if strings.Contains(arg, "n") {
				left = 1
			}
		case left > 0:
			left--
		case given && !hidden(arg):
			return append(out, span{a.lo, a.hi, "password"})
		default:
			return out
		}
	}
	return out
}

// netUse redacts the password of a share: the argument that is not the share, a drive or a switch.
func netUse(s string, end int, out []span) []span {
	for _, a := range arguments(s, end) {
		arg := s[a.lo:a.hi]
		share := strings.HasPrefix(arg, `\\`) || strings.HasPrefix(arg, "//")
		drive := len(arg) == 2 && arg[1] == ':'
		if share || drive || arg[0] == '/' || placeholder(arg) {
			continue
		}
		return append(out, span{a.lo, a.hi, "password"})
	}
	return out
}

// stdinConsumers are commands that read a password from stdin.
var stdinConsumers = []string{"--password-stdin", "chpasswd", "sudo -s", "kinit ", "--stdin", "cryptsetup", "--passphrase-fd", "smbpasswd", "su -c", "su - "}

// piped redacts the output of echo or printf for the command, and its here-string.
func piped(s string, at, end int, out []span) []span {
	for _, sign := range []string{"<<<", "u003c"} {
		here := strings.LastIndex(s[end:min(len(s), end+300)], sign)
		if here < 0 {
			continue
		}
		if a := argumentAt(s, skip(s, end+here+len(sign), " ", 8)); a.lo < a.hi {
			out = append(out, span{a.lo, a.hi, "password"})
		}
	}
	before := s[max(0, at-600):at]
	pipe := strings.LastIndexByte(before, '|')
	if pipe < 0 {
		return out
	}
	pipe += at - len(before)
	from := max(strings.LastIndex(s[at-len(before):pipe], "echo "), strings.LastIndex(s[at-len(before):pipe], "printf "))
	if from < 0 {
		return out
	}
	from += at - len(before)
	from += strings.IndexByte(s[from:], ' ')
	for _, a := range arguments(s[:pipe], from) {
		arg := s[a.lo:a.hi]
		if arg[0] == '-' || strings.Contains(arg, "%s") || placeholder(arg) {
			continue
		}
		if colon := strings.IndexByte(arg, ':'); colon > 0 && strings.HasPrefix(strings.ToLower(s[at:end]), "chpasswd") {
			a.lo += colon + 1
		}
		if a.lo < a.hi {
			out = append(out, span{a.lo, a.hi, "password"})
		}
	}
	return out
}
