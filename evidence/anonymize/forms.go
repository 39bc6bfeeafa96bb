package anonymize

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// forms are the formats in which components refer to objects in texts. The clue is a required part of the expression.
var forms = []struct {
	clue string
	re   *lazyregexp.Regexp
	take func(n *Names, m []string)
}{
	{"kubelet[", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) kubelet\[`), takeNode},
	{"systemd[", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) systemd\[`), takeNode},
	{" kernel: ", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) kernel: `), takeNode},
	{"containerd[", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) containerd\[`), takeNode},
	{"]: ", lazyregexp.New(`^(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) ([A-Za-z][A-Za-z0-9.-]*) [A-Za-z(][A-Za-z0-9_.()/@-]*\[\d+\]: `), takeNode},
	{"@", prompt, takePrompt},
	{".privatelink.", lazyregexp.New(`\b([a-z0-9-]+(?:\.[a-z0-9-]+)*\.privatelink\.[a-z0-9.-]+[a-z])\b`), takeEndpoint},
	{"vpce-", lazyregexp.New(`\b(vpce-[a-z0-9.-]+\.amazonaws\.com)\b`), takeEndpoint},
	{".eks.amazonaws.com", lazyregexp.New(`\b([A-Za-z0-9]+(?:\.[a-z0-9-]+)*\.eks\.amazonaws\.com)\b`), takeEndpoint},
	{".vault.azure.net", lazyregexp.New(`\b([a-z0-9-]+\.vault\.azure\.net)\b`), takeEndpoint},
	{".database.", lazyregexp.New(`\b([a-z0-9-]+(?:\.[a-z0-9-]+)?\.database\.(?:windows\.net|azure\.com))\b`), takeEndpoint},
	{"arn:", lazyregexp.New(`\barn:[a-z-]+:[a-z0-9-]*:[a-z0-9-]*:\d{0,12}:([a-z-]+)[/:]([A-Za-z0-9+=,.@_/-]+)`), takeARN},
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

// prompt matches a shell prompt with user and host.
var prompt = lazyregexp.New(`^\s*\[?([A-Za-z_][A-Za-z0-9_.-]*)@([A-Za-z0-9][A-Za-z0-9.-]*)(?::[^\s$#]*| [^\s\]]+\])\s?[$#](?: |$)`)

// sharedUsers are default users of images and distributions. They identify no person.
var sharedUsers = map[string]bool{"root": true, "ubuntu": true, "admin": true, "administrator": true, "core": true, "debian": true, "centos": true, "fedora": true, "ec2-user": true, "azureuser": true, "vagrant": true, "opc": true, "user": true, "rocky": true, "rancher": true, "pi": true}

func takePrompt(n *Names, m []string) {
	if user := strings.ToLower(m[1]); !sharedUsers[user] {
		n.fresh(user, "user")
	}
	takeNode(n, m[1:])
}

// takeEndpoint declares a host with a user-chosen prefix in a cloud domain.
func takeEndpoint(n *Names, m []string) {
	host := strings.ToLower(m[1])
	_, rest, _ := strings.Cut(host, ".")
	n.set(host, "host", func(i int) string { return fmt.Sprintf("host-%d.%s", i, rest) })
}

// takeARN declares the names in the resource of an ARN, but not generated IDs.
func takeARN(n *Names, m []string) {
	for part := range strings.SplitSeq(m[2], "/") {
		part = strings.Trim(part, ".,=+")
		predefined := arnWords[part] || stays[strings.ToLower(part)]
		if len(part) < 3 || predefined || isID(part) || !nodeName.MatchString(part) {
			continue
		}
		n.fresh(part, "resource")
	}
}

// arnWords are resource parts that AWS defines.
var arnWords = map[string]bool{"app": true, "net": true, "aws-service-role": true, "service-role": true, "policy": true, "autoScalingGroup": true, "autoScalingGroupName": true}

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

// generic are first labels of host names that show the purpose and not the owner.
var generic = map[string]bool{"api": true, "apiserver": true, "kube-apiserver": true, "kubernetes": true, "registry": true, "metadata": true, "www": true, "docker": true, "proxy": true, "ntp": true, "dns": true, "k8s-api": true, "api-int": true, "harbor": true, "oidc": true, "packages": true, "archive": true}

func takeHost(n *Names, m []string) { n.host(strings.ToLower(m[1])) }

// host declares a host that is not a node.
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

// Learn declares the names in a text.
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

// eachText visits all texts of the evidence.
func (n *Names) eachText(d *evidence.Data, show func(string)) {
	w := walker{seen: map[seenAt]int{}, text: func(_, s string) string {
		for line := range strings.Lines(s) {
			show(strings.TrimRight(line, "\r\n"))
		}
		return s
	}}
	w.value(reflect.ValueOf(d), "", 0)
}
