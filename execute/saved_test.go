package execute

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each node has separate files in the folder, for any name.
func TestSavedPath(t *testing.T) {
	at := time.Date(2026, 11, 27, 17, 30, 0, 0, time.UTC)
	if got := SavedPath("d", "worker-1", at); got != filepath.Join("d", "saved-worker-1-20261127T173000Z.tar.gz") {
		t.Error(got)
	}
	long := strings.Repeat("a", 200)
	seen := map[string]string{}
	for _, node := range []string{"a.b", "a_b", "a-b", long + "1", long + "2", "../../etc/x", "/etc/x", "a\x1b[2J", ".."} {
		path := SavedPath("d", node, at)
		if filepath.Dir(path) != "d" || len(filepath.Base(path)) > 120 || strings.Contains(path, "\x1b") {
			t.Errorf("%q: %q", node, path)
		}
		if other, taken := seen[path]; taken {
			t.Errorf("%q and %q share %s", node, other, path)
		}
		seen[path] = node
	}
}
