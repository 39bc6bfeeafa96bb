package accuracy

import (
	"regexp"
	"strings"
	"time"
)

var (
	pageState = regexp.MustCompile(`^(\s+)State:(\s+)(Waiting|Terminated|Running)\s*$`)
	pageReady = regexp.MustCompile(`^(\s+Ready:\s+)False\s*$`)
	pageTrue  = regexp.MustCompile(`^(  (?:PodReadyToStartContainers|Initialized|Ready|ContainersReady|PodScheduled)\s+)False\s*$`)
	pageTop   = regexp.MustCompile(`^(Status|Node|IP):(\s+)(.*)$`)
	startTime = regexp.MustCompile(`^Start Time:\s+(.+)$`)
	lasts     = regexp.MustCompile(`^Status:\s+Terminating|^\s+DeletionTimestamp|^Termination Grace`)
)

// endPodPage returns the description of a running pod. Its creation follows from its start and the age of its oldest event.
func endPodPage(block []string, n names) (out []string, skip string) {
	var start time.Time
	var oldest time.Duration
	for _, l := range block {
		if lasts.MatchString(l) {
			return nil, "a pod that is being deleted is gone at the end, with its description"
		}
		if m := startTime.FindStringSubmatch(l); m != nil {
			if t, err := time.Parse(described, strings.TrimSpace(m[1])); err == nil {
				start = t
			}
		}
		if r, ok := parseEventRow(l); ok {
			oldest = max(oldest, r.age)
		}
	}
	if oldest == 0 {
		return nil, "the description of a pod has no events: nothing in it remembers"
	}
	if start.IsZero() {
		return nil, "the description of a pod does not show when it started"
	}
	running := start.Add(oldest + restFrom)
	inState := "" // indentation of the State that is replaced
	for _, l := range block {
		if inState != "" {
			if indent := l[:len(l)-len(strings.TrimLeft(l, " "))]; len(indent) > len(inState) && strings.TrimSpace(l) != "" {
				continue
			}
			inState = ""
		}
		switch m := pageState.FindStringSubmatch(l); {
		case m != nil && m[3] != "Running":
			out = append(out, m[1]+"State:"+m[2]+"Running", m[1]+"  Started:      "+running.Format(described))
			inState = m[1]
			continue
		}
		l = pageReady.ReplaceAllString(l, "${1}True")
		l = pageTrue.ReplaceAllString(l, "${1}True ")
		if m := pageTop.FindStringSubmatch(l); m != nil {
			switch value := strings.TrimSpace(m[3]); {
			case m[1] == "Status":
				l = "Status:" + m[2] + "Running"
			case m[1] == "Node" && (value == "<none>" || value == ""):
				l = "Node:" + m[2] + n.node() + "/10.0.0.4"
			case m[1] == "IP" && value == "":
				l = "IP:               10.244.1.7"
			}
		}
		if strings.HasPrefix(l, "Reason:") || strings.HasPrefix(l, "Message:") {
			continue
		}
		if r, ok := parseEventRow(l); ok {
			l = r.aged(ageing)
		}
		out = append(out, l)
	}
	return endPageEvents(out, block, n)
}
