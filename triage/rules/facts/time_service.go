package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// timeServices are the units of time synchronization services.
var timeServices = []string{
	"systemd-timesyncd.service", "chrony.service", "chronyd.service", "ntp.service", "ntpd.service", "ntpsec.service", "openntpd.service",
}

// TimeService reports whether a time service of the node runs, and if not, which one should and its state. Unknown: no such unit
// was found, or the stopped ones are not enabled.
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

// UnitState describes the state of a unit that is not running.
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
