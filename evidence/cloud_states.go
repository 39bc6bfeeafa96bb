package evidence

import (
	"strconv"
	"strings"
)

// MachineStates is how many machines of a scale set are in which provisioning state, in lower case, by the set's own count,
// and how many that are together. It is nil where the set's view was not read.
func (r *CloudResource) MachineStates() (states map[string]int, all int) {
	for _, one := range strings.Split(r.Properties["machineStates"], ",") {
		state, count, found := strings.Cut(one, "=")
		n, err := strconv.Atoi(count)
		if !found || err != nil || n < 0 {
			continue
		}
		if states == nil {
			states = map[string]int{}
		}
		states[state] += n
		all += n
	}
	return states, all
}
