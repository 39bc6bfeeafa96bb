package paste

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/nodereport"
)

// runtime is what the report says of the container runtime.
func (p *page) runtime() *nodereport.Runtime {
	r := p.node()
	if r.Runtime == nil {
		r.Runtime = &nodereport.Runtime{}
	}
	return r.Runtime
}

// answered notes that the runtime answered, unless it was seen failing as well.
func answered(r *nodereport.Runtime, l line) {
	if r.Answer == "" {
		r.Answer, r.Ref = "ok", quote(l)
	}
}

func crictlContainerRow(t *table, c cells, l line) bool {
	switch c["STATE"] {
	case "Running", "Exited", "Created", "Unknown", "CONTAINER_RUNNING", "CONTAINER_EXITED", "CONTAINER_CREATED", "CONTAINER_UNKNOWN":
	default:
		return false
	}
	attempt, err := strconv.Atoi(c["ATTEMPT"])
	if err != nil || !isName(c["NAME"]) {
		return false
	}
	if !t.p.text.room("containers", l) {
		return true
	}
	state := strings.TrimPrefix(c["STATE"], "CONTAINER_")
	r := t.p.runtime()
	answered(r, l)
	r.Containers = append(r.Containers, nodereport.Container{
		Name: c["NAME"], Pod: c["POD"], Image: c["IMAGE"], State: state[:1] + strings.ToLower(state[1:]), Attempt: attempt, Ref: quote(l),
	})
	return true
}

func crictlPodRow(t *table, c cells, l line) bool {
	state := c["STATE"]
	switch state {
	case "Ready", "NotReady":
	case "SANDBOX_READY":
		state = "Ready"
	case "SANDBOX_NOTREADY":
		state = "NotReady"
	default:
		return false
	}
	attempt, err := strconv.Atoi(c["ATTEMPT"])
	if err != nil || !isName(c["NAME"]) {
		return false
	}
	if !t.p.text.room("sandboxes", l) {
		return true
	}
	r := t.p.runtime()
	answered(r, l)
	r.Sandboxes = append(r.Sandboxes, nodereport.Sandbox{
		Name: c["NAME"], Namespace: c["NAMESPACE"], State: state, Attempt: attempt, Ref: quote(l),
	})
	return true
}

// dockerContainerRow reads docker ps. The names that dockershim gives tell container, pod and attempt:
// k8s_CONTAINER_POD_NAMESPACE_UID_ATTEMPT.
func dockerContainerRow(t *table, c cells, l line) bool {
	word, _ := nextWord(c["STATUS"])
	state, ok := map[string]string{"Up": "Running", "Exited": "Exited", "Created": "Created", "Restarting": "Exited", "Dead": "Unknown", "Paused": "Running"}[word]
	if !ok || !isName(c["NAMES"]) {
		return false
	}
	if !t.p.text.room("containers", l) {
		return true
	}
	out := nodereport.Container{Name: c["NAMES"], Image: c["IMAGE"], State: state, Ref: quote(l)}
	if parts := strings.Split(c["NAMES"], "_"); len(parts) == 6 && parts[0] == "k8s" {
		out.Name, out.Pod = parts[1], parts[2]
		out.Attempt, _ = strconv.Atoi(parts[5])
	}
	r := t.p.runtime()
	answered(r, l)
	if r.Name == "" {
		r.Name = "docker"
	}
	r.Containers = append(r.Containers, out)
	return true
}

var (
	// crictlFatal are crictl's failures, on a terminal and in a log.
	crictlFatal = regexp.MustCompile(`^(?:FATA\[\d+\] |time="[^"]*" level=fatal msg=)(.*)$`)
	// aboutCRI tells crictl's failures from those of other programs that log the same way.
	aboutCRI     = regexp.MustCompile(`(?i)runtime (?:api|service|client)|validate service connection|connect endpoint|getting status of runtime|(?:listing|list) (?:containers|pod sandboxes)|unable to determine (?:runtime|image) API`)
	criEndpoint  = regexp.MustCompile(`unix://[^\s'"\\,]+|\bdial unix ([^\s:'"]+)`)
	dockerDown   = regexp.MustCompile(`^(?:error during connect: .*|Cannot connect to the Docker daemon at (\S+?)\. Is the docker daemon running\?)`)
	notReachable = regexp.MustCompile(`(?i)no such file or directory|connection refused|connect endpoint|failed to connect|error while dialing`)
)

// startRuntimeError reads how crictl and docker say that the runtime does not answer.
func startRuntimeError(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	message, name, endpoint := "", "", ""
	if m := crictlFatal.FindStringSubmatch(text); m != nil && (p.command().tool() == "crictl" || aboutCRI.MatchString(m[1])) {
		message = strings.Trim(m[1], `"`)
		if e := criEndpoint.FindStringSubmatch(message); e != nil {
			endpoint = strings.TrimPrefix(e[0], "dial unix ")
		}
	} else if m := dockerDown.FindStringSubmatch(text); m != nil {
		message, name, endpoint = text, "docker", m[1]
	} else {
		return nil
	}
	if !p.text.room("runtime answers", l) {
		return done
	}
	r := p.runtime()
	if r.Answer = "refused"; name == "" {
		r.Answer = criAnswer(message)
	}
	r.Message, r.Ref = bound(message, maxQuote), quote(l)
	setIf(&r.Name, name)
	setIf(&r.Endpoint, endpoint)
	return done
}

// criAnswer sorts a failure. crictl also waits for its deadline on a socket that does not exist, so a
// deadline while connecting is no sign of a runtime that hangs.
func criAnswer(message string) string {
	switch {
	case notReachable.MatchString(message):
		return "refused"
	case strings.Contains(message, "DeadlineExceeded"), strings.Contains(message, "deadline exceeded"):
		return "hung"
	}
	return "error"
}

// outputCrictl reads crictl version and crictl info; tables are found by their headers.
func outputCrictl(p *page, c *command) reader {
	for _, w := range c.words[1:] {
		switch w {
		case "version":
			return crictlVersion(p)
		case "info":
			return &criInfo{p: p}
		case "ps", "pods", "pod":
			return crictlRows(p, w != "ps")
		}
	}
	return nil
}

// crictlRows reads rows that grep left without their header: ID IMAGE CREATED STATE NAME ATTEMPT POD-ID [POD],
// or for sandboxes ID CREATED STATE NAME NAMESPACE ATTEMPT.
func crictlRows(p *page, sandboxes bool) reader {
	t := &table{p: p}
	return each(func(l line) bool {
		f := splitGaps(l.text)
		if sandboxes {
			return len(f) >= 6 && isHex(f[0]) && crictlPodRow(t, cells{"STATE": f[2], "NAME": f[3], "NAMESPACE": f[4], "ATTEMPT": f[5]}, l)
		}
		c := cells{}
		if len(f) >= 7 {
			c = cells{"IMAGE": f[1], "STATE": f[3], "NAME": f[4], "ATTEMPT": f[5]}
		}
		if len(f) > 7 {
			c["POD"] = f[7]
		}
		return len(f) >= 7 && isHex(f[0]) && crictlContainerRow(t, c, l)
	})
}

func crictlVersion(p *page) reader {
	return each(func(l line) bool {
		key, value, ok := splitKey(l.text)
		if !ok {
			return false
		}
		switch key {
		case "RuntimeName":
			p.runtime().Name = value
		case "RuntimeVersion":
			r := p.runtime()
			r.Version = value
			answered(r, l)
		case "Version", "RuntimeApiVersion":
		default:
			return false
		}
		p.text.rows["runtime answers"]++
		return true
	})
}

// criInfo collects the JSON of crictl info.
type criInfo struct {
	p    *page
	text strings.Builder
	last line
	// whole: the closing brace was read.
	whole bool
}

func (i *criInfo) take(l line) bool {
	if i.whole || i.text.Len() == 0 && !strings.HasPrefix(l.text, "{") || i.text.Len() > 1<<20 {
		return false
	}
	i.text.WriteString(l.text)
	i.text.WriteByte('\n')
	i.last, i.whole = l, l.text == "}"
	return true
}

func (i *criInfo) close(ending) {
	var info struct {
		Status struct {
			Conditions []struct {
				Type, Reason, Message string
				Status                bool
			}
		}
	}
	if json.Unmarshal([]byte(i.text.String()), &info) != nil || len(info.Status.Conditions) == 0 || !i.p.text.room("runtime answers", i.last) {
		return
	}
	r := i.p.runtime()
	r.Answer, r.Ref = "ok", "crictl info"
	for _, c := range info.Status.Conditions {
		status := c.Status
		switch c.Type {
		case "RuntimeReady":
			r.RuntimeReady = &status
		case "NetworkReady":
			r.NetworkReady = &status
		default:
			continue
		}
		if !status {
			r.Message = bound(strings.TrimSpace(c.Reason+": "+c.Message), maxQuote)
		}
	}
}
