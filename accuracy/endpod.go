package accuracy

import (
	"regexp"
	"slices"
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
	start, oldest := podTimes(block)
	switch {
	case slices.ContainsFunc(block, lasts.MatchString):
		return nil, "a pod that is being deleted is gone at the end, with its description"
	case oldest == 0:
		return nil, "the description of a pod has no events: nothing in it remembers"
	case start.IsZero():
		return nil, "the description of a pod does not show when it started"
	}
	p := podPage{node: n.node(), running: start.Add(oldest + restFrom)}
	for _, l := range block {
		p.add(l)
	}
	return endPageEvents(p.lines, block, n)
}

// podTimes returns the start of a pod and the age of its oldest event.
func podTimes(block []string) (start time.Time, oldest time.Duration) {
	for _, l := range block {
		if m := startTime.FindStringSubmatch(l); m != nil {
			if t, err := time.Parse(described, strings.TrimSpace(m[1])); err == nil {
				start = t
			}
		}
		if r, ok := parseEventRow(l); ok {
			oldest = max(oldest, r.age)
		}
	}
	return start, oldest
}

// podPage is the description of a pod, in which all containers run.
type podPage struct {
	node    string
	running time.Time // the start of its containers
	state   string    // the indentation of the State that is replaced; "": none
	lines   []string
}

// add adds a line of the description of the failed pod.
func (p *podPage) add(l string) {
	if p.ofState(l) {
		return
	}
	if m := pageState.FindStringSubmatch(l); m != nil && m[3] != "Running" {
		p.lines = append(p.lines, m[1]+"State:"+m[2]+"Running", m[1]+"  Started:      "+p.running.Format(described))
		p.state = m[1]
		return
	}
	if strings.HasPrefix(l, "Reason:") || strings.HasPrefix(l, "Message:") {
		return
	}
	l = pageReady.ReplaceAllString(l, "${1}True")
	l = p.top(pageTrue.ReplaceAllString(l, "${1}True "))
	if r, ok := parseEventRow(l); ok {
		l = r.aged(ageing)
	}
	p.lines = append(p.lines, l)
}

// ofState reports whether a line is part of the State that was replaced.
func (p *podPage) ofState(l string) bool {
	if p.state == "" {
		return false
	}
	indent := len(l) - len(strings.TrimLeft(l, " "))
	if indent > len(p.state) && strings.TrimSpace(l) != "" {
		return true
	}
	p.state = ""
	return false
}

// top returns a line of the top of the description as a running pod has it.
func (p *podPage) top(l string) string {
	m := pageTop.FindStringSubmatch(l)
	if m == nil {
		return l
	}
	switch value := strings.TrimSpace(m[3]); {
	case m[1] == "Status":
		return "Status:" + m[2] + "Running"
	case m[1] == "Node" && (value == "<none>" || value == ""):
		return "Node:" + m[2] + p.node + "/10.0.0.4"
	case m[1] == "IP" && value == "":
		return "IP:               10.244.1.7"
	}
	return l
}
