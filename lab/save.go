//go:build linux

package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// saved is where the machine writes what it saves: no scenario fills that file system.
const saved = "/opt/saved.tar.gz"

// Save lets nodetriage save on the machine itself what a reboot destroys, and moves it into file; it returns how long the
// program took.
func (m *Machine) Save(ctx context.Context, nodetriage, file string) (time.Duration, error) {
	program, err := m.keeper.program(m, nodetriage)
	if err != nil {
		return 0, fmt.Errorf("give node %s the program: %w", m.Name, err)
	}
	hide, err := m.keeper.showLogs(m)
	defer hide()
	if err != nil {
		return 0, fmt.Errorf("show node %s its logs: %w", m.Name, err)
	}
	begin := time.Now()
	out, ended := exec.CommandContext(ctx, "nsenter", m.enter(append(m.NodeCheck(program), "--save", saved)...)...).CombinedOutput() // its code is the verdict
	took := time.Since(begin)
	data, err := os.ReadFile(m.Path(saved))
	if err != nil {
		return 0, fmt.Errorf("save what node %s knows: %w: %.500s", m.Name, errors.Join(err, ended), out)
	}
	return took, errors.Join(os.WriteFile(file, data, 0o600), os.Remove(m.Path(saved)))
}
