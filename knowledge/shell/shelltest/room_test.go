//go:build unix

package shelltest_test

import (
	"os"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/shell/shelltest"
)

// A room detects the effects of a name, or it proves nothing.
func TestRoomSeesWhatNamesDo(t *testing.T) {
	for _, shell := range shelltest.Shells() {
		room, err := shelltest.NewRoom(t.TempDir(), shell)
		if err != nil {
			t.Fatal(err)
		}
		for text, bad := range map[string]bool{
			"kubectl cordon q9": false, "kubectl cordon 'q9'": false, "kubectl cordon <node>": false, "a sentence (with q9)": false,
			"kubectl cordon q9;touch PWN": true, "kubectl cordon $(touch PWN)q9": true, "kubectl cordon q9>PWN": true, "kubectl cordon q9; :>../PWN": true,
			"kubectl cordon --q9=x": true, "kubectl cordon --name=q9": false,
		} {
			if did := room.Paste(text, []string{"q9"}); (len(did) > 0) != bad {
				t.Errorf("%s: %q: %q", shell, text, did)
			}
		}
		if did := room.Paste("kubectl cordon q9 x", []string{"q9 x"}); len(did) == 0 {
			t.Errorf("%s: a name in two words is not seen", shell)
		}
	}
}

// A redirection into a folder of the system changes nothing there, and its command runs.
func TestRedirections(t *testing.T) {
	for _, shell := range shelltest.Shells() {
		room, err := shelltest.NewRoom(t.TempDir(), shell)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"/etc/modules-load.d/nodetriage-shelltest.conf", "/tmp/nodetriage-shelltest.log"} {
			did := room.Paste("echo a >> "+file+" && kubectl get --q9=x > "+file, []string{"q9"})
			if len(did) == 0 {
				t.Errorf("%s: the command did not run", shell)
			}
			if _, err := os.Lstat(file); err == nil {
				t.Errorf("%s writes %s", shell, file)
				_ = os.Remove(file)
			}
		}
	}
}
