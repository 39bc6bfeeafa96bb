package accuracy

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// lasting lists causes that are not over because a log continues: a broken part stays broken until it is replaced, and the
// properties of a machine do not change.
var lasting = map[string]bool{
	"disk-hardware-failure": true, "gpu-hardware-failure": true, "machine-hardware-failure": true,
	"cgroup-version-unsupported": true, "no-fault-transient": true, "none": true, "unknown": true, "other": true,
}

// observed lists files that show a machine at one moment and are not read again.
var observed = map[string]bool{"console.txt": true, "node-report.json": true, "nodereports.json": true, "kubelets.json": true}

// ended returns the evidence of a case followed by its end. Logs, events and descriptions keep the past. The API server and
// kubectl show the current state of nodes and pods. Files that show a node at one moment are dropped, because they were not
// read again. skip is the reason if a case cannot be ended.
func ended(c *Case, seed uint64) (out Files, skip string) {
	if lasting[c.Truth.Class] {
		return nil, "a cause that does not end by itself, or none"
	}
	n := namesIn(c.Files.String())
	read := newestObserved(c.Files)
	logs := newLogEnd(c, n, read, chance(seed, "past", c.Name))
	objects := objectEnd{names: n, since: read.Add(restFrom), now: read.Add(ageing)}
	remembers := false
	for _, f := range c.Files {
		if observed[path.Base(f.Name)] && len(c.Files) > 1 {
			continue
		}
		text, remembered, why := endFile(f, n, logs, objects)
		if why != "" {
			return nil, why
		}
		remembers = remembers || remembered
		out = append(out, File{f.Name, text})
	}
	if !remembers {
		return nil, "nothing in it remembers: tables and objects show what is"
	}
	return resummed(out), ""
}

// endFile ends one file, and reports whether it still contains the past.
func endFile(f File, n names, logs logEnd, objects objectEnd) (text string, remembers bool, skip string) {
	if strings.TrimSpace(f.Text) == "" {
		return f.Text, false, ""
	}
	if f.objects() {
		return endDocument(f, objects)
	}
	var out []string
	for _, b := range blocks(f.Text) {
		ended, skip := endBlock(b, f.Name, n, logs)
		if skip != "" {
			return "", false, skip
		}
		remembers = remembers || b.remembers()
		out = append(out, ended...)
	}
	return unlines(out), remembers, ""
}

// remembers reports whether a block contains the past.
func (b block) remembers() bool {
	switch b.form {
	case formLog, formEvents:
		return true
	case formNode, formPod:
		return anyEvent(b.lines)
	}
	return false
}

// endBlock ends one block of a text. skip is the reason if it cannot.
func endBlock(b block, file string, n names, logs logEnd) (out []string, skip string) {
	switch b.form {
	case formLog:
		more, skip := logs.further(b.lines, file)
		return append(trimBlank(b.lines), more...), skip
	case formEvents:
		return endEvents(b.lines, n)
	case formNodes:
		return endNodes(b.lines), ""
	case formPods:
		if logs.causes[0] == "cni-leftover-config" && addressed(b.lines) {
			return nil, "pods that run on keep the address that a wrong network gave them"
		}
		return endPods(b.lines, n), ""
	case formNode:
		return endNodePage(b.lines, n)
	case formPod:
		return endPodPage(b.lines, n)
	case formCommand:
		return b.lines, ""
	case formTable:
		if !unchanged(b.lines) {
			return nil, "a table of whose end nothing is known"
		}
		return b.lines, ""
	}
	if !harmless(b.lines) {
		return nil, "other text, which shows no time"
	}
	return b.lines, ""
}

func trimBlank(list []string) []string {
	for len(list) > 0 && strings.TrimSpace(list[len(list)-1]) == "" {
		list = list[:len(list)-1]
	}
	return append([]string{}, list...)
}

func anyEvent(block []string) bool {
	for _, l := range block {
		if _, ok := parseEventRow(l); ok {
			return true
		}
	}
	return false
}

// steady matches the headers of tables whose rows are the same in a healthy cluster.
var steady = regexp.MustCompile(`^(?:NAME\s+HOLDER\s+AGE|(?:NAMESPACE\s+)?NAME\s+MIN AVAILABLE)`)

func unchanged(block []string) bool { return steady.MatchString(block[0]) }

// harmless reports whether a text shows nothing: kubectl found no objects.
func harmless(block []string) bool {
	for _, l := range block {
		if l := strings.TrimSpace(l); l != "" && l != "..." && !strings.HasPrefix(l, "No resources found") {
			return false
		}
	}
	return true
}

func endDocument(f File, objects objectEnd) (text string, remembers bool, skip string) {
	d, ok := parseDocument(f)
	if !ok {
		return "", false, "objects that are cut off or written by hand"
	}
	if objects.since.Year() < 1970 {
		return "", false, "objects that show no time"
	}
	warned := false
	d.each(func(kind string, o object) { warned = warned || textAt(o, "type") == "Warning" })
	if skip := objects.end(d); skip != "" {
		return "", false, skip
	}
	return d.text(), warned, ""
}

// altered reports whether a file of a bundle was changed after it was written.
func (f Files) altered() bool {
	var m object
	held := map[string]string{}
	for _, file := range f {
		held[file.Name] = file.Text
		if file.Name == manifestName && json.Unmarshal([]byte(file.Text), &m) != nil {
			return true
		}
	}
	return slices.ContainsFunc(listAt(m, "files"), func(entry any) bool {
		e, ok := entry.(object)
		text, there := held[textAt(e, "path")]
		return ok && there && e["sha256"] != sum(text)
	})
}

// resummed returns a bundle whose manifest has the checksums of its changed files.
func resummed(files Files) Files {
	if !files.bundled() {
		return files
	}
	held := map[string]string{}
	for _, f := range files {
		held[f.Name] = f.Text
	}
	return files.each(func(f File) string {
		if f.Name != manifestName {
			return f.Text
		}
		var m object
		if json.Unmarshal([]byte(f.Text), &m) != nil {
			return f.Text
		}
		kept := []any{}
		for _, entry := range listAt(m, "files") {
			entry, ok := entry.(object)
			if !ok {
				continue
			}
			text, there := held[textAt(entry, "path")]
			if !there {
				continue
			}
			entry["size"], entry["sha256"] = len(text), sum(text)
			kept = append(kept, entry)
		}
		m["files"] = kept
		return document{roots: []any{m}}.text()
	})
}
