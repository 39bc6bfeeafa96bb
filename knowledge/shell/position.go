package shell

import "strings"

// position is the state of a shell at a position of a text.
type position struct{ quote byte } // the open quote; 0: none

// read advances through the text from one offset to another.
func (p *position) read(s string, from, to int) {
	for i := from; i < to; i++ {
		switch c := s[i]; {
		case p.quote == '\'' && c != '\'':
		case c == '\\':
			i++
		case c == p.quote:
			p.quote = 0
		case p.quote == 0 && (c == '"' || c == '\'' && !apostrophe(s, i)):
			p.quote = c
		}
	}
}

// apostrophe reports whether the ' at this offset is an English apostrophe, as in: the node's log.
func apostrophe(s string, i int) bool {
	return i > 0 && i+1 < len(s) && letter(s[i-1]) && letter(s[i+1])
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// put returns the safe text for a value between two parts of a text; false if there is none.
func (p *position) put(before, value, after string) (Text, bool) {
	path := strings.Contains(value, "/") || value == "." || value == ".."
	switch {
	case path && (strings.HasSuffix(before, "/") || names(before)):
		return "", false // it would change the path
	case strings.HasSuffix(before, "=") && strings.ContainsAny(value, "=,"):
		return "", false // it would select more
	case p.quote != 0 || !alone(before, after):
		return Text(value), Plain(value)
	}
	return Word(value)
}

// names reports whether the word at the end of a text is the name of an output file.
func names(before string) bool {
	i := strings.LastIndexByte(before, ' ') + 1
	return strings.HasPrefix(before[i:], ">") || strings.HasSuffix(before[:i], " > ")
}

// alone reports whether the text between the two parts is a separate word.
func alone(before, after string) bool {
	const ends = " ;,()\n"
	return (before == "" || strings.IndexByte(ends, before[len(before)-1]) >= 0) && (after == "" || strings.IndexByte(ends, after[0]) >= 0)
}
