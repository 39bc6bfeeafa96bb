package paste

import (
	"net/netip"
	"strings"
)

// startBareRow reads a row of nodes or pods without its header, as in "| grep" output. Only these two tables have a unique format.
func startBareRow(p *page, l line) reader {
	words := splitWords(l.text)
	if len(words) < 4 || len(words) > 24 {
		return nil
	}
	if bareNode(p, words, l) || barePod(p, words, l) {
		return done
	}
	return nil
}

// bareNode reads NAME STATUS [ROLES] AGE VERSION.
func bareNode(p *page, words []string, l line) bool {
	if !isNodeStatus(words[1]) || !isName(words[0]) {
		return false
	}
	at := 2
	roles := ""
	if !isAge(words[at]) {
		roles = words[at]
		at++
	}
	if len(words) < at+2 || !isAge(words[at]) || !isVersion(words[at+1]) {
		return false
	}
	if !p.text.room("nodes", l) {
		return true
	}
	n := tableNode(p, trimKind(words[0]), words[1], l)
	n.Node.Status.NodeInfo.KubeletVersion = words[at+1]
	p.text.setAge(&n.CreationTimestamp.Time, words[at])
	if roles != "<none>" {
		addRoles(n, roles)
	}
	return true
}

// isVersion reports whether a word is a kubelet version: v1.2.3 with an optional suffix.
func isVersion(s string) bool {
	return len(s) > 3 && s[0] == 'v' && isDigit(s[1]) && strings.Contains(s[:4], ".")
}

// barePod reads [NAMESPACE] NAME READY STATUS RESTARTS AGE [IP NODE].
func barePod(p *page, words []string, l line) bool {
	at := 1
	if _, _, ok := parseOf(words[at]); !ok {
		at = 2
	}
	if len(words) < at+4 || !isAge(words[at+3]) || !isName(words[at-1]) {
		return false
	}
	namespace := p.command().kubectl().namespace
	if at == 2 {
		if namespace = words[0]; !isName(namespace) {
			return false
		}
	}
	pod := tablePod(p, namespace, trimKind(words[at-1]), words[at], words[at+1], words[at+2], l)
	if pod == nil {
		return false
	}
	if !p.text.room("pods", l) {
		return true
	}
	if rest := words[at+4:]; len(rest) >= 2 && (rest[0] == "<none>" || isAddress(rest[0])) && isName(rest[1]) {
		pod.IP, pod.Node = cells{"": rest[0]}.get(""), rest[1]
	}
	p.text.setAge(&pod.Created, words[at+3])
	p.text.pods = append(p.text.pods, pod)
	return true
}

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}
