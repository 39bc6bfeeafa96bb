package paste

import (
	"slices"
	"strings"
)

// columns is the header of a table: the start and name of each column. Names have no spaces or dashes, because these changed
// between versions: LASTSEEN, NODESELECTOR, UPTODATE.
type columns struct {
	names  []string
	starts []int // in characters
}

// twoWords are the column names with a space.
var twoWords = map[string]bool{
	"LAST SEEN": true, "FIRST SEEN": true, "NODE SELECTOR": true, "NOMINATED NODE": true, "READINESS GATES": true,
	"MIN AVAILABLE": true, "MAX UNAVAILABLE": true, "ALLOWED DISRUPTIONS": true, "ACCESS MODES": true,
	"RECLAIM POLICY": true, "CONTAINER ID": true, "POD ID": true, "IMAGE ID": true, "RESIDUAL TIME": true,
	"CERTIFICATE AUTHORITY": true, "EXTERNALLY MANAGED": true, "CPU REQUESTS": true, "CPU LIMITS": true,
	"MEMORY REQUESTS": true, "MEMORY LIMITS": true, "MOUNTED ON": true, "POD RUNTIME": true,
}

// header parses a line of column names; ok is false for other lines. If caps is set, the names must be upper case.
func header(text string, caps bool) (columns, bool) {
	text = expand(text)
	var c columns
	at := 0
	for text != "" {
		trimmed := strings.TrimLeft(text, " ")
		at += len(text) - len(trimmed)
		text = trimmed
		word, _, _ := strings.Cut(text, " ")
		if word == "" {
			break
		}
		if !isColumnName(word, caps) || len(c.names) >= 40 {
			return columns{}, false
		}
		if next, _, _ := strings.Cut(strings.TrimPrefix(text[len(word):], " "), " "); next != "" {
			if both := word + " " + next; twoWords[strings.ToUpper(both)] && strings.HasPrefix(text, both) {
				word = both
			}
		}
		c.names = append(c.names, columnKey(word))
		c.starts = append(c.starts, at)
		at += len(word)
		text = text[len(word):]
	}
	return c, len(c.names) >= 2
}

func columnKey(name string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name))
}

// hasUnit reports whether an upper-case name has a unit in lower case.
func hasUnit(name string) bool { return name == "CPU(cores)" || name == "MEMORY(bytes)" }

func isColumnName(word string, caps bool) bool {
	for _, c := range word {
		switch {
		case c >= 'A' && c <= 'Z', c == '-', c == '(', c == ')', c == '%', c == '_', c == '.', c == '/':
		case c >= '0' && c <= '9' && word[0] > '9':
		case c >= 'a' && c <= 'z' && (!caps || hasUnit(word)):
		default:
			return false
		}
	}
	return word[0] >= 'A' && word[0] <= 'Z'
}

// startsWith reports whether the first words of a header are these.
func startsWith(header []string, words ...string) bool {
	return len(header) >= len(words) && slices.Equal(header[:len(words)], words)
}

func (c columns) has(names ...string) bool {
	for _, n := range names {
		if !slices.Contains(c.names, n) {
			return false
		}
	}
	return true
}

// cells maps column names to the cells of one row.
type cells map[string]string

// get returns a cell, or an empty string for a placeholder of kubectl.
func (c cells) get(name string) string {
	switch v := c[name]; v {
	case "<none>", "<unknown>", "<unset>":
		return ""
	default:
		return v
	}
}

// split splits a row. It tries the positions of the header first, because only they show empty cells. It splits a shifted row at
// its gaps, and a row without gaps at its words.
func (c columns) split(text string) (cells, bool) {
	for _, try := range []func(string) []string{c.byPosition, splitGaps, c.byWord} {
		if fields := try(text); len(fields) == len(c.names) {
			row := make(cells, len(fields))
			for i, name := range c.names {
				row[name] = fields[i]
			}
			return row, true
		}
	}
	return nil, false
}

// byPosition fails if a column does not start at its position.
func (c columns) byPosition(text string) []string {
	r := []rune(expand(text))
	out := make([]string, len(c.starts))
	for i, start := range c.starts {
		if start >= len(r) {
			break
		}
		end := len(r)
		if i+1 < len(c.starts) {
			end = min(end, c.starts[i+1])
		}
		if i == 0 && strings.TrimSpace(string(r[:start])) != "" {
			return nil
		}
		if start > 0 && r[start-1] != ' ' {
			return nil
		}
		cell := string(r[start:end])
		if strings.TrimSpace(cell) != "" && cell[0] == ' ' {
			return nil
		}
		out[i] = strings.TrimSpace(cell)
	}
	return out
}

// splitGaps splits at tabs and at two or more spaces.
func splitGaps(text string) []string {
	var out []string
	for _, part := range strings.Split(strings.TrimSpace(text), "\t") {
		for part = strings.TrimSpace(part); part != ""; {
			cell, rest, _ := strings.Cut(part, "  ")
			out = append(out, cell)
			part = strings.TrimLeft(rest, " ")
		}
	}
	return out
}

// byWord splits at every space, but keeps "5 (3m ago)" together. Surplus words go to the column that may have several: the last
// one of a message, the image of an operating system.
func (c columns) byWord(text string) []string {
	words := splitWords(text)
	surplus := len(words) - len(c.names)
	if surplus < 0 || len(splitGaps(text)) > 1 { // remaining gaps are more reliable than words
		return nil
	}
	if surplus == 0 {
		return words
	}
	i := slices.IndexFunc(c.names, func(n string) bool { return n == "MESSAGE" || n == "OSIMAGE" || n == "DESCRIPTION" })
	if i < 0 {
		return nil
	}
	out := slices.Clone(words[:i])
	out = append(out, strings.Join(words[i:i+surplus+1], " "))
	return append(out, words[i+surplus+1:]...)
}

// splitWords splits at spaces, except before and inside parentheses.
func splitWords(text string) []string {
	var out []string
	open := false
	for _, w := range strings.Fields(text) {
		if len(out) > 0 && (open || w[0] == '(') {
			out[len(out)-1] += " " + w
			open = !strings.HasSuffix(w, ")")
			continue
		}
		out = append(out, w)
	}
	return out
}
