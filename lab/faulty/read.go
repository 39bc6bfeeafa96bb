package faulty

import (
	"net/url"
	"strings"
)

// Read is one list or one object, as a program requests it. All pages of a list are one Read.
type Read struct {
	Resource  string // plural: "pods", "nodes.metrics.k8s.io"
	Namespace string
	Name      string // of one object; empty: a list
	Selector  string // by labels and fields
	Cached    bool   // from the watch cache (resourceVersion=0), which serves no pages

	path, labels, fields string
}

// IsList reports whether the read is a list.
func (r Read) IsList() bool { return r.Name == "" }

func (r Read) String() string {
	out := r.Resource
	if r.Namespace != "" {
		out += " in " + r.Namespace
	}
	if r.Name != "" {
		out += " named " + r.Name
	}
	if r.Selector != "" {
		out += " where " + r.Selector
	}
	if r.Cached {
		out += " from the cache"
	}
	return out
}

// metricsGroup has resources with the same names as others.
const metricsGroup = "metrics.k8s.io"

// parse returns the read of a request; false: the request is not for an object, or only for a subresource, for example
// of a kubelet.
func parse(u *url.URL) (Read, bool) {
	q := u.Query()
	r := Read{path: u.Path, labels: q.Get("labelSelector"), fields: q.Get("fieldSelector")}
	r.Selector = strings.Trim(r.labels+","+r.fields, ",")
	r.Cached = q.Get("resourceVersion") == "0" && !q.Has("limit")
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	group := ""
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, parts = parts[1], parts[3:]
	default:
		return Read{}, false
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		r.Namespace, parts = parts[1], parts[2:]
	}
	r.Resource = parts[0]
	if group == metricsGroup {
		r.Resource += "." + group
	}
	switch len(parts) {
	case 1:
		return r, true
	case 2:
		r.Name = parts[1]
		return r, true
	}
	return Read{}, false
}
