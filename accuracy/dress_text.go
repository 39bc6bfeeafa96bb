package accuracy

import (
	"fmt"
	"strings"
)

// textLines changes the lines of every text.
func textLines(p Play, change func(l string) string) Files {
	return p.Case.Files.each(func(f File) string {
		if f.objects() || strings.TrimSpace(f.Text) == "" {
			return f.Text
		}
		all := lines(f.Text)
		for i, l := range all {
			all[i] = change(l)
		}
		return unlines(all)
	})
}

// wearCRLF is a text from Windows.
func wearCRLF(p Play) Files {
	return textLines(p, func(l string) string { return strings.TrimSuffix(l, "\r") + "\r" })
}

// wearColour adds colours as a program leaves them in a file: one colour for a whole line, or for its first word.
func wearColour(p Play) Files {
	rnd := p.rnd()
	return textLines(p, func(l string) string {
		word, rest, more := strings.Cut(l, " ")
		switch {
		case strings.TrimSpace(l) == "":
			return l
		case more && word != "" && rnd.IntN(2) == 0:
			return "\x1b[1;31m" + word + "\x1b[0m " + rest
		}
		return fmt.Sprintf("\x1b[%dm%s\x1b[m", 31+rnd.IntN(6), l)
	})
}

// wearPager adds what a terminal recording keeps of a pager: it clears each line to its end, and switches to another screen.
func wearPager(p Play) Files {
	out := textLines(p, func(l string) string { return l + "\x1b[K" })
	for i := range out {
		if !out[i].objects() && out[i].Text != p.Case.Files[i].Text {
			out[i].Text = "\x1b[?1049h\x1b[22;0;0t\r" + out[i].Text + ":\x1b[K\r\x1b[K\x1b[?1049l"
		}
	}
	return out
}

// wearIndent is a text in a code block of a ticket.
func wearIndent(p Play) Files {
	return textLines(p, func(l string) string {
		if l == "" {
			return l
		}
		return "    " + l
	})
}
