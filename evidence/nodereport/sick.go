package nodereport

import (
	"fmt"
	"slices"
	"time"
)

// Sick returns a short reason why this machine does not work as a node, from its report; empty: none. It decides
// whether to save evidence, and is not a diagnosis.
func (r *Report) Sick() string {
	for _, h := range r.Hung {
		return fmt.Sprintf("%s %s has not answered for %s", h.What, h.Name, h.After.Round(time.Second))
	}
	for _, sick := range []func() string{r.sickFilesystem, r.sickConnection, r.sickRuntime} {
		if why := sick(); why != "" {
			return why
		}
	}
	if t := r.Tasks; t != nil && t.Max > 0 && t.Current >= t.Max-t.Max/20 {
		return fmt.Sprintf("%d of %d processes and threads", t.Current, t.Max)
	}
	return ""
}

// sickFilesystem returns which file system of kubelet, runtime or logs is full.
func (r *Report) sickFilesystem() string {
	for _, f := range r.Filesystems {
		switch {
		case len(f.Holds) == 0:
		case f.ReadOnly:
			return f.Mount + " cannot be written to"
		case f.BytesUsedPercent >= fullPercent || f.InodesUsedPercent >= fullPercent:
			return f.Mount + " is full"
		}
	}
	return ""
}

// sickConnection returns whether the kubelet or the API server does not answer the node.
func (r *Report) sickConnection() string {
	for _, c := range r.Connections {
		switch {
		case c.Peer != "kubelet" && c.Peer != "api-server":
		case c.Answer != "ok":
			return fmt.Sprintf("%s: %s", c.Peer, c.Answer)
		case c.Status == 401 || c.Status >= 500: // it does not accept the credentials of the node, or cannot answer
			return fmt.Sprintf("%s: HTTP status %d", c.Peer, c.Status)
		}
	}
	return ""
}

// sickRuntime returns why the container runtime cannot run pods.
func (r *Report) sickRuntime() string {
	t := r.Runtime
	switch {
	case t == nil:
	case slices.Contains([]string{"hung", "refused", "error"}, t.Answer):
		return "container runtime: " + t.Answer
	case t.RuntimeReady != nil && !*t.RuntimeReady:
		return "container runtime: not ready"
	case t.NetworkReady != nil && !*t.NetworkReady:
		return "network of the pods: not ready"
	}
	return ""
}

// fullPercent is the usage at which the kubelet already evicts pods and writes fail.
const fullPercent = 97
