package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

var (
	readsFile    = regexp.MustCompile(`^(?:grep|cat) .*/|\| grep -A8 'ipvs:'|^systemctl cat `)
	restarts     = regexp.MustCompile(`\b(?:systemctl (?:daemon-reload|restart|start)|rollout restart)\b`)
	changes      = regexp.MustCompile(`^# EDIT |\bsed -i |^(?:vi|echo|printf|mv|cp|rm|hostnamectl|mkdir) |\bkubectl (?:edit|patch|set) | > |>> |&& cp `)
	replacesList = regexp.MustCompile(`--api-server-authorized-ip-ranges|--vpc-zone-identifier`)
	makesSecret  = regexp.MustCompile(`credential reset|create secret`)
)

// A remedy is complete when it is pasted: between a look at a file and a restart it says what to edit, before it replaces a list
// it reads the list, and it gives a new secret to what needs it.
func TestRemediesAreComplete(t *testing.T) {
	for _, c := range builtin(t).Causes() {
		for _, r := range c.Remedies {
			looks := slices.IndexFunc(r.Commands, func(x shell.Text) bool { return readsFile.MatchString(string(x)) })
			ends := slices.IndexFunc(r.Commands, func(x shell.Text) bool { return restarts.MatchString(string(x)) })
			edits := slices.ContainsFunc(r.Commands, func(x shell.Text) bool { return changes.MatchString(string(x)) })
			if looks >= 0 && ends > looks && !edits {
				t.Errorf("%s: %q looks at a file and restarts, and does not say what to edit: %q", c.ID, r.Title, r.Commands)
			}
			list := slices.IndexFunc(r.Commands, func(x shell.Text) bool { return replacesList.MatchString(string(x)) })
			if list == 0 || list > 0 && !strings.Contains(string(r.Commands[list-1]), "replaces all") {
				t.Errorf("%s: %q replaces a list and does not read it first: %q", c.ID, r.Title, r.Commands)
			}
			if n := len(r.Commands); n > 0 && makesSecret.MatchString(string(r.Commands[n-1])) {
				t.Errorf("%s: %q ends with a new secret that nothing uses: %q", c.ID, r.Title, r.Commands)
			}
		}
	}
}
