package facts

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
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

// deniedForms are the forms in which the errors of each cloud name what was denied to whom.
var deniedForms = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, c := range clouds.All() {
		for _, form := range c.Denied {
			out = append(out, regexp.MustCompile(form))
		}
	}
	return out
})

var (
	// deniedUser is a person's name in an error of any cloud or tool.
	deniedUser  = lazyregexp.New(`(?i)\buser[:=]? ?\[?["'‘]?([\w.+-]+@[\w-]+\.[\w.-]*\w)`)
	assumedRole = lazyregexp.New(`^arn:(aws[\w-]*):sts::(\d+):assumed-role/([^/]+)/`)
)

// DeniedIn returns what a message shows about a denied permission. If it names no identity, the caller of the request is used.
func DeniedIn(p *triage.Pass, m *evidence.Match) Denied {
	text := strings.ReplaceAll(m.Ref.Text+"\n"+m.LastText, `\"`, `"`)
	d := Denied{}
	for _, form := range deniedForms() {
		d.fill(form, text)
	}
	if d.Who != "" {
		d.Named = true
		d.ID = cmp.Or(d.ID, roleOf(d.Who))
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

// fill adds the parts that a form finds in a text to those that are missing.
func (d *Denied) fill(form *regexp.Regexp, text string) {
	found := form.FindStringSubmatch(text)
	if found == nil {
		return
	}
	for i, group := range form.SubexpNames() {
		switch group {
		case "who":
			d.Who = cmp.Or(d.Who, found[i])
		case "id":
			d.ID = cmp.Or(d.ID, found[i])
		case "action":
			d.Action = cmp.Or(d.Action, found[i])
		case "on":
			d.On = cmp.Or(d.On, found[i])
		}
	}
}

// roleOf returns the id that commands use: of an assumed role of AWS, the role.
func roleOf(who string) string {
	if role := assumedRole.FindStringSubmatch(who); role != nil {
		return "arn:" + role[1] + ":iam::" + role[2] + ":role/" + role[3]
	}
	return who
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
