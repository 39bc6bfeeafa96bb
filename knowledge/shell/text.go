package shell

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Text is what a person may paste into a shell, as a whole or in part: a command, or advice with commands in it. The compiler
// rejects strings that are not constants, and a test finds conversions.
type Text string

var (
	place = lazyregexp.New(`\{([a-zA-Z][a-zA-Z0-9_-]*)\}`) // the position of a value: {node}
	gap   = lazyregexp.New(`<([a-zA-Z][a-zA-Z0-9_-]*)>`)   // what the reader has to type: <node>
)

// Format puts the values into the {places} of a text, in order. A place without a safe value becomes a <gap> of its name.
func Format(text Text, values ...string) Text {
	return text.fill(place.FindAllStringSubmatchIndex(string(text), -1), func(string) string {
		if len(values) == 0 {
			return ""
		}
		v := values[0]
		values = values[1:]
		return v
	})
}

// Fill puts values into the {places} of a text by name. A place without a safe value becomes a <gap> of its name.
func (t Text) Fill(values map[string]string) Text {
	return t.fill(place.FindAllStringSubmatchIndex(string(t), -1), func(name string) string { return values[name] })
}

// Complete puts values into the <gaps> of a text by name.
func (t Text) Complete(values map[string]string) Text {
	return t.fill(gap.FindAllStringSubmatchIndex(string(t), -1), func(name string) string { return values[name] })
}

// Open returns the text with a {place} for each <gap>.
func (t Text) Open() Text { return Text(gap.ReplaceAllString(string(t), "{$1}")) }

// Places returns the names of the {places}, in order.
func (t Text) Places() (names []string) {
	for _, m := range place.FindAllStringSubmatch(string(t), -1) {
		names = append(names, m[1])
	}
	return names
}

// Gap returns the placeholder that the reader has to replace by the value of a {place}.
func Gap(name string) Text {
	if out := Text("<" + name + ">"); len(out.Open().Places()) == 1 && !strings.ContainsAny(name, "<>{}") {
		return out
	}
	return "<name>"
}

// Replace replaces the matches of an expression in the text; ${1} in the replacement is the first group.
func (t Text) Replace(what interface{ ReplaceAllString(src, by string) string }, by Text) Text {
	return Text(what.ReplaceAllString(string(t), string(by)))
}

// Unmarked returns a command without the comment at its end, and the comment.
func (t Text) Unmarked() (command, comment Text) {
	bare, _, found := strings.Cut(string(t), " # ")
	if !found {
		return t, ""
	}
	return Text(bare), t[len(bare):]
}

// Comments that say where the value of a <gap> in the next command comes from.
const (
	prints = "prints <"
	choose = "# choose <"
	// CheckPrints begins a comment about a name that the check before the fix prints.
	CheckPrints = "# the check above prints "
)

// PrintsName reports whether a line only says where the value of a name in the next command comes from: a command that shows it, or
// a comment.
func (t Text) PrintsName() bool {
	_, comment := t.Unmarked()
	if strings.HasPrefix(string(t), "# ") {
		comment = t
	}
	return strings.Contains(string(comment), prints) || strings.HasPrefix(string(t), choose)
}

// EditsPrinted reports whether a line is an edit that needs what the command before it prints: it names no file, or a printed value.
func (t Text) EditsPrinted() bool {
	what, _, _ := strings.Cut(string(t), ": ")
	needs := !strings.ContainsAny(what, "/.") || strings.Contains(string(t), "printed")
	return strings.HasPrefix(what, "# EDIT ") && needs
}

// IsComment reports whether a line is only a comment: a step by hand, or where the value of a name comes from.
func (t Text) IsComment() bool { return strings.HasPrefix(string(t), "# ") }

// Names reports whether the text contains one of the parts.
func (t Text) Names(parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(string(t), part) })
}

// Own puts the name of a node's unit into the {own-unit} of a text, and keeps the other {places}.
func (t Text) Own(unit Text) Text {
	return Text(strings.ReplaceAll(string(t), "{own-unit}", string(unit)))
}

// Words returns the values as words of a command. A value that cannot be a word becomes a <gap> of that name.
func Words(gap Text, values ...string) Text { return Join(" ", each(gap, values)...) }

// List returns the values separated by commas. A value that cannot be part of a word becomes a <gap> of that name.
func List(gap Text, values []string) Text { return Join(",", each(gap, values)...) }

func each(gap Text, values []string) (out []Text) {
	for _, v := range values {
		out = append(out, Format("{"+gap+"}", v))
	}
	return out
}

// Join returns the texts with a separator.
func Join(between Text, texts ...Text) Text {
	return Text(strings.Join(Strings(texts), string(between)))
}

// Strings returns the texts as strings, to print them.
func Strings(texts []Text) []string {
	if texts == nil {
		return nil
	}
	out := make([]string, 0, len(texts))
	for _, t := range texts {
		out = append(out, string(t))
	}
	return out
}

func (t Text) fill(places [][]int, value func(name string) string) Text {
	var out strings.Builder
	var at position
	s, from := string(t), 0
	for _, m := range places {
		at.read(s, from, m[0])
		name := s[m[2]:m[3]]
		v, ok := at.put(s[:m[0]], value(name), s[m[1]:])
		if !ok {
			v = Gap(name)
		}
		out.WriteString(s[from:m[0]] + string(v))
		from = m[1]
	}
	return Text(out.String() + s[from:])
}
