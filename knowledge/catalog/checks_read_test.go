package catalog_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// does are checks that do more than read, or whose reading a table of programs cannot show, each by how it begins and with the reason.
var does = map[string]string{
	"kubectl drain {node}":                "a dry run",
	"echo '{\"apiVersion\":\"policy/v1\"": "a dry run",
	"kubectl auth can-i":                  "the verb stands after the question",
	"kubectl exec":                        "a program in a container",
	"uname -r; cat /sys/kernel/security/lockdown; mount -t bpf": "mount without a device shows a list",
	"touch /var/lib/kubelet/.probe":                             "it writes, to see whether that is possible",
	"crictl pull {image}":                                       "it pulls, to see whether that is possible",
	"CNI_COMMAND=VERSION":                                       "a plugin that is asked for its version",
	"az rest --method get":                                      "the method is an option",
	"az vmss run-command invoke":                                "a request from the machine",
	"gcloud compute instances describe":                         "the name stands after the verb",
	"hostname; ":                                                "the program would set a name that follows it",
}

// A check only reads, so that the first screen can tell a look from a fix. A program that package shell does not know counts as one that
// changes something.
func TestChecksOnlyRead(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, cause := range cat.Causes() {
		for _, check := range cause.Confirm {
			command := string(check.Run)
			if check.Run.Reads() || strings.ContainsAny(command, "$`") { // what a variable holds is unknown to everyone
				continue
			}
			if begins := beginning(command); begins != "" {
				used[begins] = true
				continue
			}
			t.Errorf("%s: the table of programs in knowledge/shell/reads.go does not say that this only reads: %s", cause.ID, command)
		}
	}
	for begins := range does {
		if !used[begins] {
			t.Errorf("%q begins no check any more that the table does not know", begins)
		}
	}
}

func beginning(command string) string {
	for begins := range does {
		if strings.HasPrefix(command, begins) {
			return begins
		}
	}
	return ""
}
