package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// timeServices are the units that keep a clock, under all their names.
var timeServices = []string{
	"systemd-timesyncd.service", "chrony.service", "chronyd.service", "ntp.service", "ntpd.service", "ntpsec.service", "openntpd.service",
}

// TimeService reports whether a unit of the node keeps its clock, and where none does, which should and how it is. Not known: no
// unit of that sort was seen, or those that do not run are not meant to.
func TimeService(r *nodereport.Report) (runs evidence.Fact, dead nodereport.Unit) {
	for _, u := range r.Units {
		if !slices.Contains(timeServices, u.Name) {
			continue
		}
		switch {
		case slices.Contains([]string{"active", "reloading", "refreshing"}, u.Active):
			return evidence.True, nodereport.Unit{}
		case u.Skipped, u.Active == "activating", u.Active == "":
		case u.Active == "failed", u.Enabled == "enabled", u.Load == "masked", strings.HasPrefix(u.Enabled, "masked"):
			runs, dead = evidence.False, u
		}
	}
	return runs, dead
}

// UnitState says of a unit that does not run how it is.
func UnitState(u nodereport.Unit) string {
	state := u.Active
	if u.Load == "masked" || strings.HasPrefix(u.Enabled, "masked") {
		state = "masked"
	}
	if u.Result != "" {
		state += ", result " + u.Result
	}
	return fmt.Sprintf("%s is %s", u.Name, state)
}
