package collect

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/collect/kubelets"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

type version struct {
	GitVersion string `json:"gitVersion"`
}

// versions are the places of the server version: kubectl get --raw /version, kubectl version, and troubleshoot's
// cluster_version.json.
type versions struct {
	version
	ServerVersion *version `json:"serverVersion"`
	Info          *version `json:"info"`
}

func (v versions) server() string {
	switch {
	case v.ServerVersion != nil:
		return v.ServerVersion.GitVersion
	case v.Info != nil:
		return v.Info.GitVersion
	}
	return v.GitVersion
}

// answer adds the response of a server about itself, if the JSON is one. It accepts a version and the saved responses of a kubelet
// (kubectl get --raw, and the hosts folder of sonobuoy).
func (o *objects) answer(d decoded) bool {
	var doc struct {
		versions
		KubeletConfig json.RawMessage `json:"kubeletconfig"`
		Node          *struct {
			Name string `json:"nodeName"`
		} `json:"node"`
		Status int `json:"status"`
	}
	if len(d.raw) == 0 || d.raw[0] != '{' || json.Unmarshal(d.raw, &doc) != nil {
		return false
	}
	version := doc.server()
	switch {
	case version != "":
		o.builder.Edit(func(e *evidence.Data, _ *evidence.Templates) {
			e.Server.Version, e.Server.Provider = wording.Cut(version, maxName), clouds.OfVersion(version).Service
		})
		return true
	case doc.Node != nil && doc.Node.Name != "":
		stats, pods, err := kubelets.ReadSummary(bytes.NewReader(d.raw))
		if err != nil {
			return false
		}
		o.kubelet(doc.Node.Name, func(k *evidence.Kubelet) { k.Stats = stats })
		o.builder.Edit(func(e *evidence.Data, _ *evidence.Templates) { e.PodUsage = append(e.PodUsage, pods...) })
		return true
	}
	node := nodeOf(o.doc.path).Name
	if node == "" {
		return false
	}
	switch {
	case doc.KubeletConfig != nil:
		config, err := kubelets.ReadConfigz(bytes.NewReader(d.raw))
		if err != nil {
			return false
		}
		o.kubelet(node, func(k *evidence.Kubelet) { k.Config = config })
		return true
	case doc.Status != 0 && path.Base(o.doc.path) == "healthz.json":
		if doc.Status == 200 {
			o.kubelet(node, func(k *evidence.Kubelet) { k.Healthz = "ok" })
		}
		return true
	}
	return false
}

// kubelet fills in the kubelet of the node, and adds it if it is missing.
func (o *objects) kubelet(node string, fill func(*evidence.Kubelet)) {
	o.builder.Edit(func(e *evidence.Data, _ *evidence.Templates) {
		for _, k := range e.Kubelets {
			if k.Node == node {
				fill(k)
				return
			}
		}
		k := &evidence.Kubelet{Node: node}
		fill(k)
		e.Kubelets = append(e.Kubelets, k)
	})
}

// refusedList matches the file in which troubleshoot reports why it could not list a kind.
var refusedList = lazyregexp.New(`(?:^|/)cluster-resources/([a-z-]+)-errors\.json$`)

// refusals turns the errors of a collector into gaps, by namespace or for the whole cluster.
func (o *objects) refusals(d decoded) bool {
	m := refusedList.FindStringSubmatch(o.doc.path)
	if m == nil {
		return false
	}
	kind := kindNamed(m[1])
	tree := cloud.Tree(string(d.raw[:min(len(d.raw), maxCloud)]))
	switch v := tree.(type) {
	case string:
		o.builder.Incomplete(kind, m[1], wording.Cut(v, maxEvidence), kind.Saved())
	case map[string]any:
		for _, ns := range slices.Sorted(maps.Keys(v)) {
			if why, ok := v[ns].(string); ok {
				o.builder.Incomplete(kind, strings.TrimSpace(m[1]+" in "+wording.Cut(ns, maxName)), wording.Cut(why, maxEvidence), kind.Saved())
			}
		}
	}
	return true
}

// kindNamed returns the kind of the objects with that list name; "" if it is not supported.
func kindNamed(list string) evidence.Kind {
	if o := evidence.ObjectNamed(list); o != nil {
		return o.Of()
	}
	return ""
}
