package accuracy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// logLines changes the lines of files that contain only logs of one program. Files with messages of several lines are not
// changed.
func logLines(p Play, fits func(l string) bool, change func(l string, s speaker, at time.Time) string) Files {
	whole, _ := spanOf(p.Case.Files)
	return p.Case.Files.each(func(f File) string {
		if f.objects() || strings.TrimSpace(f.Text) == "" {
			return f.Text
		}
		all := lines(f.Text)
		for i, l := range all {
			at, told, ok := head(l)
			s := speakerOf(l, f.Name)
			if !ok || s == "" || !fits(l) {
				return f.Text
			}
			if !told {
				at = inYear(at, whole.year)
			}
			all[i] = change(l, s, at)
		}
		return unlines(all)
	})
}

var (
	pureKlog = regexp.MustCompile(`^([IWEF])(\d{4} \d\d:\d\d:\d\d)(\.\d+)(\s+\d+) ([\w.-]+\.go:\d+)\] ?(.*)$`)
	klogKey  = regexp.MustCompile(` ([\w.()\[\]-]+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{.*\}|\S+)`)
)

// wholeKlog reports whether a line is a complete klog line with readable fields. Pasted lines lose the escapes of quotes.
func wholeKlog(l string) bool {
	m := pureKlog.FindStringSubmatch(l)
	if m == nil || !strings.HasPrefix(m[6], `"`) {
		return m != nil
	}
	text, err := strconv.QuotedPrefix(m[6])
	return err == nil && strings.TrimSpace(klogKey.ReplaceAllString(m[6][len(text):], "")) == ""
}

// wearJSONLog is the output of a Kubernetes component with --logging-format=json.
func wearJSONLog(p Play) Files {
	return logLines(p, wholeKlog, func(l string, _ speaker, at time.Time) string {
		m := pureKlog.FindStringSubmatch(l)
		fraction, _ := strconv.ParseFloat("0"+m[3], 64)
		var b strings.Builder
		fmt.Fprintf(&b, `{"ts":%.4f,"caller":%s`, float64(at.UnixMilli())+fraction*1000, quoted(m[5]))
		msg, fields := m[6], ""
		if strings.HasPrefix(msg, `"`) {
			if text, err := strconv.QuotedPrefix(msg); err == nil {
				fields = msg[len(text):]
				msg, _ = strconv.Unquote(text)
			}
		}
		fmt.Fprintf(&b, `,"msg":%s`, quoted(msg))
		if m[1] == "I" || m[1] == "W" {
			b.WriteString(`,"v":0`)
		}
		for _, kv := range klogKey.FindAllStringSubmatch(fields, -1) {
			fmt.Fprintf(&b, `,%s:%s`, quoted(kv[1]), jsonValue(kv[2]))
		}
		b.WriteString("}")
		return b.String()
	})
}

// jsonValue converts a value of klog's text to its JSON: objects and lists are kept, other values are strings.
func jsonValue(text string) string {
	if text[0] == '{' || text[0] == '[' {
		if json.Valid([]byte(text)) {
			return text
		}
	}
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	return quoted(text)
}

func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // strings can always be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// inJournal returns the name under which a program writes to the journal.
func inJournal(s speaker) string {
	if s == kernel {
		return "kernel"
	}
	return string(s) + "[1187]"
}

// bare reports whether a line has no head of a journal or a runtime.
func bare(l string) bool { return !journalHead.MatchString(l) && !criHead.MatchString(l) }

var criHead = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] `)

// wearJournalShort is the default form of journalctl.
func wearJournalShort(p Play) Files {
	host := namesIn(p.Case.Files.String()).node()
	return logLines(p, bare, func(l string, s speaker, at time.Time) string {
		return at.Format("Jan 02 15:04:05 ") + host + " " + inJournal(s) + ": " + l
	})
}

// wearJournalISO is the form of journalctl -o short-iso.
func wearJournalISO(p Play) Files {
	host := namesIn(p.Case.Files.String()).node()
	return logLines(p, bare, func(l string, s speaker, at time.Time) string {
		return at.Format("2006-01-02T15:04:05+0000 ") + host + " " + inJournal(s) + ": " + l
	})
}

// wearJournalVerbose is the form of journalctl -o verbose, with the fields that every entry has.
func wearJournalVerbose(p Play) Files {
	host := namesIn(p.Case.Files.String()).node()
	return logLines(p, bare, func(l string, s speaker, at time.Time) string {
		unit := string(s) + ".service"
		return fmt.Sprintf("%s.104231 UTC [s=6f1c;i=2a41;b=9d2f;m=41;t=5c1;x=77]\n    PRIORITY=6\n    _HOSTNAME=%s\n    SYSLOG_IDENTIFIER=%s\n    _PID=1187\n    _SYSTEMD_UNIT=%s\n    MESSAGE=%s",
			at.Format("Mon 2006-01-02 15:04:05"), host, s, unit, l)
	})
}

// inContainer reports whether a program runs as a container, so that a runtime keeps its log.
func inContainer(s speaker) bool {
	switch s {
	case kubelet, containerd, crio, docker, kernel, systemd:
		return false
	}
	return true
}

// wearCRI is the file of a container's log on the node.
func wearCRI(p Play) Files {
	return containerLines(p, func(l string, at time.Time) string {
		return at.Format("2006-01-02T15:04:05.104231077Z") + " stderr F " + l
	})
}

// wearDocker is the file of a container's log in Docker's format.
func wearDocker(p Play) Files {
	return containerLines(p, func(l string, at time.Time) string {
		return `{"log":` + quoted(l+"\n") + `,"stream":"stderr","time":"` + at.Format("2006-01-02T15:04:05.104231077Z") + `"}`
	})
}

// wearTimestamps is the form of kubectl logs --timestamps.
func wearTimestamps(p Play) Files {
	return containerLines(p, func(l string, at time.Time) string {
		return at.Format("2006-01-02T15:04:05.104231077Z ") + l
	})
}

func containerLines(p Play, change func(l string, at time.Time) string) Files {
	contained := func(l string) bool {
		for _, f := range p.Case.Files {
			if strings.Contains(f.Text, l) && !inContainer(speakerOf(l, f.Name)) {
				return false
			}
		}
		return bare(l)
	}
	return logLines(p, contained, func(l string, _ speaker, at time.Time) string { return change(l, at) })
}
