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
		"a list of names of one length":         strings.Repeat("registry.example.com/"+strings.Repeat("e", 70)+"\n", 4),
		"a message that comes again":            strings.Repeat("unable to mount the volume of the pod: "+strings.Repeat("f", 60)+"\n", 3),
		"a table":                               strings.Repeat("node-1   Ready   worker   10d   v1.36.3   10.0.0.1   "+strings.Repeat("g", 40)+"\nworker-2 x\n", 3),
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

// A message without a time is wrapped, too: its first break is within a word or at a space, and the text has more of them.
func TestWithoutWrapsOfMessages(t *testing.T) {
	for name, whole := range map[string]string{
		"a structured line": `level=fatal msg="failed to probe helper" runDirectory=/var/run/cilium libDirectory=/var/lib/cilium BPFDirectory=/var/lib/cilium/bpf StateDirectory=/var/run/cilium/state kernelVersion=7.2.0-1011-generic containerRuntime=containerd://2.1.4 programType=CGroupSock error="R1 is not a scalar"`,
		"prose":             "The plugin reports that the volume of the database cannot be attached to the machine, because another machine which is already gone in the portal is still registered as its owner, and the controller repeats the request every two minutes without any other result than this one",
	} {
		wrapped := ""
		for rest := whole; rest != ""; rest = rest[min(83, len(rest)):] {
			wrapped += rest[:min(83, len(rest))] + "\n"
		}
		out, err := io.ReadAll(withoutWraps(strings.NewReader("Before.\n" + wrapped + "After.\n")))
		if got := strings.Join(strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), "\n"); err != nil || got != "Before.\n"+whole+"\nAfter." {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
