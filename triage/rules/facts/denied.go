package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
)

// Denied is the identity and the missing permission in a cloud error. Missing parts are empty.
type Denied struct {
	Who    string // name as people use it
	ID     string // id as commands use it
	Action string
	On     string // id of the resource
	// Named: the error has the cloud's format of a denied request.
	Named bool
	// Asked: the error names no identity; the caller is known.
	Asked bool
}

// Cloud errors that name the denied identity.
var (
	deniedClient = lazyregexp.New(`(?i)\bclient ["'‘]([^"'’]{1,120})["'’] with object id ["'‘]([\w-]+)["'’]`)
	deniedRight  = lazyregexp.New(`(?i)does not have (?:authorization|permission) to perform action\(?s?\)? ["'‘]?([\w.*/]+)["'’]?(?: (?:over scope|on (?:the linked )?scope(?:\(s\))?) ["'‘](/[^"'’]+)["'’])?`)
	deniedARN    = lazyregexp.New(`\b(?:User: )?(arn:aws[\w-]*:(?:iam|sts)::\d+:(?:user|assumed-role|role|root)[\w+=,.@/-]*) is not authorized to perform: ([\w:*-]+)(?: on resource: (arn:[^\s"]+))?`)
	deniedUser   = lazyregexp.New(`(?i)\buser[:=]? ?\[?["'‘]?([\w.+-]+@[\w-]+\.[\w.-]*\w)`)
	assumedRole  = lazyregexp.New(`^arn:(aws[\w-]*):sts::(\d+):assumed-role/([^/]+)/`)
)

// DeniedIn returns what a message shows about a denied permission. If it names no identity, the caller of the request is used.
func DeniedIn(p *triage.Pass, m *evidence.Match) Denied {
	text := strings.ReplaceAll(m.Ref.Text+"\n"+m.LastText, `\"`, `"`)
	d := Denied{}
	if right := deniedRight.FindStringSubmatch(text); right != nil {
		d.Action, d.On = right[1], right[2]
	}
	if client := deniedClient.FindStringSubmatch(text); client != nil {
		d.Who, d.ID = client[1], client[2]
		d.Named = true
		return d
	}
	if arn := deniedARN.FindStringSubmatch(text); arn != nil {
		d.Who, d.ID, d.Action, d.On = arn[1], arn[1], arn[2], arn[3]
		d.Named = true
		if role := assumedRole.FindStringSubmatch(arn[1]); role != nil {
			d.ID = "arn:" + role[1] + ":iam::" + role[2] + ":role/" + role[3]
		}
		return d
	}
	if user := deniedUser.FindStringSubmatch(text); user != nil {
		d.Who, d.ID = user[1], user[1]
		return d
	}
	if m.Ref.ObservedAt.IsZero() {
		return d
	}
	if who := p.Snapshot.FailedAt(m.Ref.ObservedAt).Caller; who != "" {
		d.Who, d.ID, d.Asked = who, who, true
	}
	return d
}

// Person reports whether it is a signed-in person, and not the identity of a machine or service.
func (d Denied) Person() bool { return Person(d.Who) }

// Person reports whether a cloud's caller name is that of a signed-in person.
func Person(who string) bool {
	service := strings.HasSuffix(who, ".gserviceaccount.com")
	return strings.Contains(who, "@") && !service && !strings.HasPrefix(who, "arn:") || strings.Contains(who, ":user/")
}

// OfCluster reports whether it is the identity of the cluster.
func (d Denied) OfCluster(p *triage.Pass) evidence.Fact {
	c := CloudCluster(p)
	switch {
	case d.Person():
		return evidence.False
	case c == nil || d.ID == "" || c.Identity == "" && c.Account == "":
		return evidence.Unknown
	case strings.EqualFold(d.ID, c.Identity), strings.EqualFold(d.ID, c.Account), strings.EqualFold(d.Who, c.Account):
		return evidence.True
	case c.Identity == "": // the id of the account differs from that of its object
		return evidence.Unknown
	}
	return evidence.False
}
