package paste

import (
	"slices"
	"strings"
)

// columns is the header of a table: where each column starts, and what it is called. Names are written
// without spaces and dashes, because they changed over the versions: LASTSEEN, NODESELECTOR, UPTODATE.
type columns struct {
	names  []string
	starts []int // in characters
}

// twoWords are the column names that hold a space.
var twoWords = map[string]bool{
	"LAST SEEN": true, "FIRST SEEN": true, "NODE SELECTOR": true, "NOMINATED NODE": true, "READINESS GATES": true,
	"MIN AVAILABLE": true, "MAX UNAVAILABLE": true, "ALLOWED DISRUPTIONS": true, "ACCESS MODES": true,
	"RECLAIM POLICY": true, "CONTAINER ID": true, "POD ID": true, "IMAGE ID": true, "RESIDUAL TIME": true,
	"CERTIFICATE AUTHORITY": true, "EXTERNALLY MANAGED": true, "CPU REQUESTS": true, "CPU LIMITS": true,
	"MEMORY REQUESTS": true, "MEMORY LIMITS": true, "MOUNTED ON": true, "POD RUNTIME": true,
}

// header reads a line of column names; ok is false for a line that is none. caps: the names are in capitals.
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

func isColumnName(word string, caps bool) bool {
	for _, c := range word {
		switch {
		case c >= 'A' && c <= 'Z', c == '-', c == '(', c == ')', c == '%', c == '_', c == '.', c == '/':
		case c >= '0' && c <= '9' && word[0] > '9':
		case c >= 'a' && c <= 'z' && (!caps || word == "CPU(cores)" || word == "MEMORY(bytes)"):
		default:
			return false
		}
	}
	return word[0] >= 'A' && word[0] <= 'Z'
}

func (c columns) has(names ...string) bool {
	for _, n := range names {
		if !slices.Contains(c.names, n) {
			return false
		}
	}
	return true
}

// cells is one row by column name.
type cells map[string]string

// get returns a cell; what kubectl prints for "nothing" becomes empty.
func (c cells) get(name string) string {
	switch v := c[name]; v {
	case "<none>", "<unknown>", "<unset>":
		return ""
	default:
		return v
	}
}

// split takes a row apart. It tries the positions of the header first: only they tell where an empty cell
// is. A row that is shifted against them is split at its gaps, one whose gaps were lost at its words.
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

// byPosition fails where a column does not start at its place.
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

// splitGaps splits at tabs and at two spaces or more.
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

// byWord splits at every space, keeps "5 (3m ago)" together, and gives surplus words to the column that may
// hold several: the last one of a message, the image of an operating system.
func (c columns) byWord(text string) []string {
	words := splitWords(text)
	surplus := len(words) - len(c.names)
	if surplus < 0 || len(splitGaps(text)) > 1 { // where gaps are left they tell what the words do not
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

// splitWords splits at spaces, except in front of and inside parentheses.
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
