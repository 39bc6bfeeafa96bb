package accuracy

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/triage"
)

// Alarm is a finding in a text in which no node is broken, with what it rests on.
type Alarm struct {
	File      string
	Cause     string
	Certainty triage.Certainty
	By        string // the signature, or the rules
	Text      string
}

// Foreign is what the program says of texts that have nothing to do with broken nodes.
type Foreign struct {
	Files, Unreadable int
	Bytes             int64
	Alarms            []Alarm // certain and likely ones
	Possible          int     // findings that are only possible
}

// maxForeign bounds the texts that are read, in bytes; the engine bounds what it holds of them.
const maxForeign = 64 << 20

// foreignTexts are the ends of the names of texts; what else lies beside them tells where they are from.
var foreignTexts = []string{".txt", ".log"}

// MeetForeign judges every file below a folder alone, as "diagnose -f FILE" does.
func MeetForeign(e *Engine, root string) (Foreign, error) {
	var names []string
	dir := os.DirFS(root)
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read foreign texts: %w", err)
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= maxForeign && slices.Contains(foreignTexts, path.Ext(name)) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return Foreign{}, err
	}
	all := make([]Foreign, len(names))
	parallel(len(names), func(i int) { all[i] = meetForeign(e, dir, names[i]) })
	var sum Foreign
	for _, f := range all {
		sum.Files += f.Files
		sum.Unreadable += f.Unreadable
		sum.Bytes += f.Bytes
		sum.Possible += f.Possible
		sum.Alarms = append(sum.Alarms, f.Alarms...)
	}
	return sum, nil
}

func meetForeign(e *Engine, dir fs.FS, name string) Foreign {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return Foreign{Unreadable: 1}
	}
	a := e.Judge(Files{{path.Base(name), string(text)}}.FS())
	out := Foreign{Files: 1, Bytes: int64(len(text))}
	if a.Broke != "" {
		out.Alarms = append(out.Alarms, Alarm{name, "panic", triage.Certain, "the program", a.Broke})
	}
	for _, f := range a.Report.Findings {
		if f.Certainty == triage.Possible {
			out.Possible++
			continue
		}
		out.Alarms = append(out.Alarms, Alarm{name, f.Cause, f.Certainty, a.by(f), evidenceOf(f)})
	}
	return out
}

// by names the signature whose match is evidence of a finding, or else the rules that claim it.
func (a Answer) by(f triage.Finding) string {
	for _, ref := range f.Evidence {
		for _, m := range a.matches {
			place, _, _ := strings.Cut(ref.Locator, " (") // how often it was seen
			if a.engine.says(m.Signature) == f.Cause && ref.Source == m.Ref.Source && place == m.Ref.Locator {
				return m.Signature
			}
		}
	}
	return "rule " + strings.Join(f.Rules, ",")
}

// BySignature counts alarms by what they rest on, the most frequent first.
func BySignature(alarms []Alarm) (out []SignatureCount) {
	at := map[string]int{}
	for _, a := range alarms {
		key := a.By + "\x00" + a.Cause
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, SignatureCount{By: a.By, Cause: a.Cause, Example: a})
		}
		if a.Certainty == triage.Certain {
			out[i].Certain++
		} else {
			out[i].Likely++
		}
	}
	slices.SortStableFunc(out, func(a, b SignatureCount) int {
		return cmp.Or(cmp.Compare(b.Certain, a.Certain), cmp.Compare(b.Likely, a.Likely))
	})
	return out
}

// SignatureCount is how often one signature or rule raises an alarm.
type SignatureCount struct {
	By, Cause       string
	Certain, Likely int
	Example         Alarm
}

// AlarmsTSV is a line for each alarm, for whoever explains them one by one.
func AlarmsTSV(alarms []Alarm) string {
	var b strings.Builder
	b.WriteString("file\tcause\tconfidence\tby\tevidence\n")
	for _, a := range alarms {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", a.File, a.Cause, a.Certainty, a.By, strings.ReplaceAll(strings.ReplaceAll(a.Text, "\t", " "), "\n", " "))
	}
	return b.String()
}

// Round are the figures of foreign texts.
func (f Foreign) Round() ForeignRound {
	r := ForeignRound{Files: f.Files, Megabytes: int((f.Bytes + 1<<19) >> 20), By: len(BySignature(f.Alarms))}
	files := map[string]bool{}
	for _, a := range f.Alarms {
		files[a.File] = true
		if a.Certainty == triage.Certain {
			r.Certain++
		} else {
			r.Likely++
		}
	}
	r.Raised = len(files)
	return r
}
