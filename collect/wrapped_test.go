package collect

import (
	"io"
	"strings"
	"testing"
)

// Lines that a terminal wrapped at its last column are joined, and all lines keep their numbers.
func TestWithoutWraps(t *testing.T) {
	const head = "May 27 16:44:51 n1 kubelet: "
	whole := []string{
		head + strings.Repeat("a", 70) + " inotify_add_watch /sys/fs/cgroup: no space left on device",
		head + "short",
		head + strings.Repeat("b", 200) + " no space left on device",
		head + strings.Repeat("c", 72),
		head + "the end",
	}
	wrap := func(columns int) string {
		var b strings.Builder
		for _, line := range whole {
			for len(line) > columns {
				b.WriteString(line[:columns] + "\n")
				line = line[columns:]
			}
			b.WriteString(line + "\n")
		}
		return b.String()
	}
	read := func(text string) string {
		out, err := io.ReadAll(withoutWraps(strings.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	text := wrap(100)
	got := read(text)
	if n, want := strings.Count(got, "\n"), strings.Count(text, "\n"); n != want {
		t.Errorf("%d lines, want %d", n, want)
	}
	if lines := strings.FieldsFunc(got, func(r rune) bool { return r == '\n' }); strings.Join(lines, "\n") != strings.Join(whole, "\n") {
		t.Errorf("%q", lines)
	}
	for name, text := range map[string]string{
		"no line is broken":                     strings.Join(whole, "\n") + "\n",
		"a panic below a line that comes twice": strings.Repeat(head+strings.Repeat("d", 90)+`"raw"`+"\npanic: (*logrus.Entry) 0xc000720000\n", 3),
		"a trace below one line":                head + strings.Repeat("d", 90) + "\nTraceback (most recent call last)\n" + head + "e\n",
		"no end of line":                        head + "f",
	} {
		if got := read(text); got != text {
			t.Errorf("%s: %q becomes %q", name, text, got)
		}
	}
}

// Rows of events that were pasted from a terminal are wrapped in the same way.
func TestWithoutWrapsOfEvents(t *testing.T) {
	row := func(message string) string { return "  5m  5m  1  kubelet, w1  Warning  FailedMount  " + message }
	whole := row(strings.Repeat("a", 80)+"timeout expired") + "\n" + row("short") + "\n" + row(strings.Repeat("b", 80)+"timeout expired") + "\n"
	wrapped := ""
	for line := range strings.Lines(whole) {
		if len(line) > 101 {
			line = line[:100] + "\n" + line[100:]
		}
		wrapped += line
	}
	out, err := io.ReadAll(withoutWraps(strings.NewReader(wrapped)))
	if got := strings.ReplaceAll(string(out), "\n\n", "\n"); err != nil || got != whole {
		t.Errorf("%q, want %q, %v", got, whole, err)
	}
}
