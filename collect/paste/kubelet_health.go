package paste

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// healthOf matches a kubelet health request through the API server, and captures the node.
var healthOf = lazyregexp.New(`--raw[ =]["']?/api/v1/nodes/([a-z0-9][a-z0-9.-]{0,252})/proxy/healthz["']?$`)

// startKubeletHealth reads the response of a healthy kubelet.
func startKubeletHealth(p *page, l line) reader {
	m := healthOf.FindStringSubmatch(p.command().raw)
	if m == nil || l.text != "ok" || p.command().filtered() || !p.text.room("answers of kubelets", l) {
		return nil
	}
	p.kubelet(m[1]).Healthz = "ok"
	return done
}

// kubelet finds or adds the kubelet of a node.
func (p *page) kubelet(node string) *evidence.Kubelet {
	i := slices.IndexFunc(p.text.kubelets, func(k *evidence.Kubelet) bool { return k.Node == node })
	if i < 0 {
		i = len(p.text.kubelets)
		p.text.kubelets = append(p.text.kubelets, &evidence.Kubelet{Node: node})
	}
	return p.text.kubelets[i]
}
