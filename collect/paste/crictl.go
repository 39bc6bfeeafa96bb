package paste

import (
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// runtime returns the container runtime of the report.
func (p *page) runtime() *nodereport.Runtime {
	r := p.node()
	if r.Runtime == nil {
		r.Runtime = &nodereport.Runtime{}
	}
	return r.Runtime
}

// answered records a response of the runtime, unless a failure was seen too.
func answered(r *nodereport.Runtime, l line) {
	if r.Answer == "" || r.Answer == "interrupted" {
		r.Answer, r.Message, r.Ref = "ok", "", quote(l)
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

// dockerContainerRow reads docker ps. Names from dockershim contain the container, pod and attempt:
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

// crictlRows reads rows without a header, as in grep output: ID IMAGE CREATED STATE NAME ATTEMPT POD-ID [POD], or for sandboxes ID
// CREATED STATE NAME NAMESPACE ATTEMPT.
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
