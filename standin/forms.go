package standin

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
)

// forms are the ways in which components name objects in texts. The clue is a part without which the expression cannot match.
var forms = []struct {
	clue string
	re   *lazyregexp.Regexp
	take func(n *Names, m []string)
}{
	{"kubelet[", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) kubelet\[`), takeNode},
	{"systemd[", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) systemd\[`), takeNode},
	{" kernel: ", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) kernel: `), takeNode},
	{"containerd[", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) containerd\[`), takeNode},
	{"node=", lazyregexp.New(`\bnode=\\?"([a-z0-9][a-z0-9.-]*)\\?"`), takeNode},
	{"system:node:", lazyregexp.New(`\bsystem:node:([a-z0-9][a-z0-9.-]*[a-z0-9])\b`), takeNode},
	{"node ", lazyregexp.New(`\bnodes? \\?"([a-z0-9][a-z0-9.-]*)\\?"`), takeNode},
	{" status is now", lazyregexp.New(`\bNode ([a-z0-9][a-z0-9.-]*[a-z0-9]) status is now`), takeNode},
	{"assigned ", lazyregexp.New(`\bassigned ([a-z0-9-]+)/([a-z0-9.-]+) to ([a-z0-9][a-z0-9.-]*[a-z0-9])\b`), func(n *Names, m []string) {
		n.node(m[3])
		takePod(n, m)
	}},
	{"pod", lazyregexp.New(`\bpods?(?:=\[?| )\\?"([a-z0-9-]+)/([a-z0-9][a-z0-9.-]*)\\?"`), takePod},
	{"\"pod\":", lazyregexp.New(`"pod":"?([a-z0-9-]+)/([a-z0-9][a-z0-9.-]*)"`), takePod},
	{"(", lazyregexp.New(`\b([a-z0-9-]+)/([a-z0-9][a-z0-9.-]*)\([0-9a-f]{8}-[0-9a-f-]{27}\)`), takePod},
	{"_", lazyregexp.New(`\b([a-z0-9][a-z0-9.-]*)_([a-z0-9-]+)\([0-9a-f]{8}-[0-9a-f-]{27}\)`), func(n *Names, m []string) { takePod(n, []string{"", m[2], m[1]}) }},
	{"/pods/", lazyregexp.New(`/var/log/pods/([a-z0-9-]+)_([a-z0-9.-]+)_[0-9a-f-]{32,36}`), takePod},
	{"/containers/", lazyregexp.New(`/var/log/containers/([a-z0-9.-]+)_([a-z0-9-]+)_`), func(n *Names, m []string) { takePod(n, []string{"", m[2], m[1]}) }},
	{"PodSandboxMetadata", lazyregexp.New(`PodSandboxMetadata\{Name:([a-z0-9.-]+),Uid:[^,]*,Namespace:([a-z0-9-]+),`), func(n *Names, m []string) { takePod(n, []string{"", m[2], m[1]}) }},
	{"serviceaccount:", lazyregexp.New(`\bsystem:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)`), func(n *Names, m []string) { n.namespace(m[1]) }},
	{" not found", lazyregexp.New(`\b(secret|configmap) \\?"([a-z0-9][a-z0-9.-]*)\\?" not found`), func(n *Names, m []string) {
		if m[2] != "kube-root-ca.crt" && !component(m[2]) {
			n.fresh(m[2], m[1])
		}
	}},
	{"/subscriptions/", lazyregexp.New(`(?i)/subscriptions/[0-9a-z-]+(?:/[A-Za-z0-9._()-]+)*`), func(n *Names, m []string) { n.resourceID(m[0]) }},
	{"arn:aws", lazyregexp.New(`\barn:aws[a-z-]*:[a-z0-9-]*:[a-z0-9-]*:(\d{12}):`), takeAccount},
	{".dkr.ecr.", lazyregexp.New(`\b(\d{12})\.dkr\.ecr\.`), takeAccount},
	{"://", lazyregexp.New(`\bhttps?://([A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,})\b`), takeHost},
	{"lookup ", lazyregexp.New(`\blookup ([A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,})\b`), takeHost},
	{".azurecr.io", lazyregexp.New(`\b([a-z0-9]+\.azurecr\.io)\b`), takeHost},
	{".azmk8s.io", lazyregexp.New(`\b([a-z0-9-]+(?:\.[a-z0-9-]+)*\.azmk8s\.io)\b`), takeHost},
}

func takeNode(n *Names, m []string) {
	if role(m[1]) != "" || !n.word(m[1]) {
		n.node(m[1])
	}
}

func takePod(n *Names, m []string) {
	n.namespace(m[1])
	n.pod(m[1], m[2], "", "", "")
}

func takeAccount(n *Names, m []string) {
	n.set(m[1], "account", func(i int) string { return fmt.Sprintf("%012d", i) })
}

// generic are first words of hosts that tell what a host is, and not whose.
var generic = map[string]bool{"api": true, "apiserver": true, "kube-apiserver": true, "kubernetes": true, "registry": true, "metadata": true, "www": true, "docker": true, "proxy": true, "ntp": true, "dns": true, "k8s-api": true, "api-int": true, "harbor": true, "oidc": true, "packages": true, "archive": true}

func takeHost(n *Names, m []string) { n.host(strings.ToLower(m[1])) }

// host declares a host that is no node.
func (n *Names) host(host string) {
	if publicHost(host) || isAddress(host) || n.to[host] != "" {
		return
	}
	first, rest, _ := strings.Cut(host, ".")
	if dashedIP.MatchString(first) {
		return
	}
	if !generic[first] && n.to[first] == "" {
		n.set(host, "host", func(i int) string { return fmt.Sprintf("host-%d.%s", i, n.domain(rest)) })
		return
	}
	if to := n.to[first]; to != "" {
		first = to
	}
	n.as(host, first+"."+n.domain(rest))
}

// Learn takes up the names of which a text speaks.
func (n *Names) Learn(text string) {
	if len(text) < 8 {
		return
	}
	for i := range forms {
		f := &forms[i]
		if !strings.Contains(text, f.clue) {
			continue
		}
		for _, m := range f.re.FindAllStringSubmatch(text, -1) {
			f.take(n, m)
		}
	}
}

// eachText shows all texts of the evidence.
func (n *Names) eachText(d *evidence.Data, show func(string)) {
	w := walker{seen: map[seenAt]int{}, text: func(_, s string) string {
		for line := range strings.Lines(s) {
			show(strings.TrimRight(line, "\r\n"))
		}
		return s
	}}
	w.value(reflect.ValueOf(d), "", 0)
}
