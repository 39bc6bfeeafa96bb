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
		by = a.Caller + " began it"
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
			words = "; it began inside of the maintenance window " + w.String() + ", node OS channel " + channel
			if by != "" {
				words += ", though the log names " + a.Caller
			}
			return words, []evidence.Ref{CloudRef(r, "window", w.String())}
		}
	}
	switch {
	case by != "" && windows == 0:
		return clause(by) + ", and not node OS channel " + channel, nil
	case by != "":
		return "; outside of the maintenance windows of node OS channel " + channel + ": " + by, nil
	case windows == 0:
		p.Unknown("whether AKS announced the upgrade", "its notifications were not read, and no maintenance window is known",
			Cloud(p).Command(advice.ShowAnnounced, c.Name))
		return "; node OS channel " + channel + " begins upgrades by itself, and no maintenance window is known that would say when", []evidence.Ref{CloudRef(c, "nodeOSUpgradeChannel", channel)}
	}
	return "; node OS channel " + channel + ", but it began outside of the maintenance windows: somebody began it, or it is urgent", nil
}

func clause(words string) string {
	if words == "" {
		return ""
	}
	return "; " + words
}
