package accuracy

import (
	"regexp"
	"strings"
)

// block is a part of a text with one form.
type block struct {
	form  form
	lines []string
}

type form string

const (
	formLog     form = "log"
	formEvents  form = "events"
	formNodes   form = "table of nodes"
	formPods    form = "table of pods"
	formNode    form = "description of a node"
	formPod     form = "description of a pod"
	formTable   form = "another table"
	formCommand form = "command"
	formOther   form = "other text"
)

var (
	commandLine = regexp.MustCompile(`^(?:\S{0,60}[#$>%❯]\s?|\$ |# |> )?\s*(?:sudo )?(?:kubectl|oc|k|journalctl|cat|tail|grep|dmesg|crictl|docker|less|curl|wget|ping|dig|nslookup|systemctl|ls|df|ip|nc|openssl) \S`)
	nodesHeader = regexp.MustCompile(`^NAME\s+STATUS\s+(?:ROLES\s+)?AGE(?:\s+VERSION)?\b`)
	podsHeader  = regexp.MustCompile(`^(?:NAMESPACE\s+)?NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\b`)
	anyHeader   = regexp.MustCompile(`^(?:[A-Z][A-Z-]+(?: [A-Z-]+)*\s{2,})+[A-Z][A-Z -]+$`)
	pageStart   = regexp.MustCompile(`^Name:\s+\S`)
	rule        = regexp.MustCompile(`^[-=_.]{3,}$`)
)

// blocks splits a text. A line with an unknown form starts a block of other text, unless it continues the message of a log line
// above it.
func blocks(text string) []block {
	var out []block
	begin := func(f form) { out = append(out, block{form: f}) }
	current := func() form {
		if len(out) == 0 {
			return ""
		}
		return out[len(out)-1].form
	}
	all := lines(strings.ReplaceAll(text, "\r\n", "\n"))
	for i, l := range all {
		if f := formOf(l, all[i+1:], current()); f != current() || pageStart.MatchString(l) {
			begin(f)
		}
		last := &out[len(out)-1]
		last.lines = append(last.lines, l)
	}
	return out
}

// formOf returns the form of a line, given the lines below it and the form of the block above it.
func formOf(l string, below []string, above form) form {
	if f := formOfStart(l, below); f != "" {
		return f
	}
	if above == formNode || above == formPod {
		return above
	}
	if f := formByItself(l); f != "" {
		return f
	}
	blank := strings.TrimSpace(l) == "" || rule.MatchString(strings.TrimSpace(l))
	switch {
	case blank && above == "":
		return formCommand
	case blank, above == formLog, above == formEvents && strings.HasPrefix(l, " "):
		return above
	case nodeRow.MatchString(l):
		return formNodes
	case podRow.MatchString(l):
		return formPods
	case above == formTable && len(strings.Fields(l)) >= 3:
		return above
	}
	return formOther
}

// formOfStart returns the form of a line that starts a block, even inside a description; "" for other lines.
func formOfStart(l string, below []string) form {
	switch {
	case commandLine.MatchString(l):
		return formCommand
	case pageStart.MatchString(l):
		return formOfPage(below)
	case nodesHeader.MatchString(l):
		return formNodes
	case podsHeader.MatchString(l):
		return formPods
	}
	return ""
}

// formByItself returns the form of a line that shows it without the lines above; "" for other lines.
func formByItself(l string) form {
	_, isEvent := parseEventRow(l)
	_, timed := headTime(l)
	switch {
	case conditionRow.MatchString(l):
		return formNode
	case anyHeader.MatchString(l) && !eventHeader.MatchString(l):
		return formTable
	case eventHeader.MatchString(l) || isEvent:
		return formEvents
	case timed || uptime.MatchString(l):
		return formLog
	}
	return ""
}

// formOfPage returns the kind of a description from the keys after its name.
func formOfPage(below []string) form {
	for _, l := range below[:min(len(below), 12)] {
		switch key, _, _ := strings.Cut(l, ":"); key {
		case "Roles", "Taints", "Unschedulable":
			return formNode
		case "Node", "Start Time", "Priority":
			return formPod
		case "Name":
			return formOther
		}
	}
	return formOther
}
