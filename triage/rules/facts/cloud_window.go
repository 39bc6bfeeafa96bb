package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// WhoseUpgrade returns who started the operation of an upgrade: a person in the log, or the cloud's automatic upgrade channel in a
// maintenance window. "" if unknown.
func WhoseUpgrade(p *triage.Pass, a *evidence.CloudActivity) (words string, refs []evidence.Ref) {
	c, by := CloudCluster(p), ""
	if Person(a.Caller) {
		by = a.Caller + " started it"
	}
	if c == nil || a.Time.IsZero() || c.RenewsImages != evidence.True {
		return clause(by), nil
	}
	channel := c.ImageChannel
	windows := 0
	for _, r := range Resources[*evidence.CloudWindow](p) {
		w := r.Opens
		if w == nil {
			continue
		}
		windows++
		if w.Holds(a.Time) == evidence.True && !strings.EqualFold(w.Name, "default") {
			words = "; it started within the maintenance window " + w.String() + ", node OS channel " + channel
			if by != "" {
				words += ", but the log names " + a.Caller
			}
			return words, []evidence.Ref{CloudRef(r, "window", w.String())}
		}
	}
	switch {
	case by != "" && windows == 0:
		return clause(by) + ", and not node OS channel " + channel, nil
	case by != "":
		return "; outside the maintenance windows of node OS channel " + channel + ": " + by, nil
	case windows == 0:
		p.Unknown("whether AKS announced the upgrade", "its notifications were not read, and no maintenance window is known",
			Cloud(p).Command(advice.ShowAnnounced, c.Name))
		return "; node OS channel " + channel + " starts upgrades automatically; no maintenance window is known", []evidence.Ref{CloudRef(c, "nodeOSUpgradeChannel", channel)}
	}
	return "; node OS channel " + channel + ", but it started outside the maintenance windows: started manually, or an urgent fix", nil
}

func clause(words string) string {
	if words == "" {
		return ""
	}
	return "; " + words
}
