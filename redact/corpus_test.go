package redact_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/redact"
)

// meant are parts of lines of the recorded evidence that hold something to hide: what is replaced there is right.
var meant = []string{
	"kubeadm join ", "--storage-driver-password=", "AccountKey=", "Authorization", "s3cr3t", "DB_PASSWORD=", "adminPassword", "network: operation not supported; token=",
	"last-applied-configuration", `"data": {"password": `, "value:", "  A: ", "MIIEpAIB", "https://robot:",
}

// Ordinary evidence stays as it is: of the lines of all cases and fixtures at most one in 10,000 is changed without a secret in it.
func TestOrdinaryEvidenceStays(t *testing.T) {
	lines, wrong, size := 0, 0, 0
	for _, root := range []string{"../cases", "../rules", "../collect", "../agent/testdata", "../why", "../verify", "../simulate", "../signatures", "../accuracy", "../cmd/nodetriage/testdata", "../cmd/nodetriage/examples"} {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".gz") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			size += len(data)
			text := redact.New(false).Lines()
			for line := range strings.Lines(string(data)) {
				lines++
				line = strings.TrimRight(line, "\r\n")
				if strings.HasPrefix(line, "-- ") {
					text = redact.New(false).Lines() // the next file of the case
				}
				if out := text.Line(line); out != line && !strings.Contains(name, "redact") && !isMeant(line) {
					wrong++
					t.Logf("%s:\n  %.300s\n  %.300s", name, line, out)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d lines, %d bytes, %d replaced without need", lines, size, wrong)
	if wrong > lines/10_000 {
		t.Errorf("%d of %d lines are changed without need", wrong, lines)
	}
}

func isMeant(line string) bool {
	for _, m := range meant {
		if strings.Contains(line, m) {
			return true
		}
	}
	return false
}
