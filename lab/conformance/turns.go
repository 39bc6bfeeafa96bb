//go:build unix

package conformance

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A turn is lost if the taint loop processes a node before its update has reached the cache of the controller. The
// controller considers the node ready, and the zone waits for its next turn (kubernetes
// pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoExecuteTaintingPass, v1.36.3). This is lag of the
// control plane, and its log shows it.
const (
	tellTurns = "--vmodule=node_lifecycle_controller=4"
	lostTurn  = "Node was in a taint queue, but it's ready now"
)

// lostTurns counts the turns that the zone of these nodes lost between two times.
func (p *plane) lostTurns(nodes []string, from, to time.Time) int {
	file, err := os.Open(filepath.Join(p.Dir, "kube-controller-manager.log"))
	if err != nil {
		return 0
	}
	defer file.Close()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if !strings.Contains(line, lostTurn) || len(line) < 21 {
			continue
		}
		at, err := time.ParseInLocation("2006 0102 15:04:05.000000", from.Local().Format("2006 ")+line[1:21], time.Local)
		if err != nil || at.Before(from) || at.After(to) {
			continue
		}
		for _, name := range nodes {
			if strings.Contains(line, `"`+name+`"`) {
				n++
			}
		}
	}
	return n
}
