package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// knowledge packs the built-in knowledge, for programs of other versions. The program that packs it was built for help.
func (r *release) knowledge(key string) error {
	file := filepath.Join(r.prepared, "knowledge.tar")
	cmd := exec.Command("hack/knowledge.sh", r.program(), file, r.version, key)
	// The knowledge in use on the build machine is ignored.
	cmd.Env = append(cmd.Environ(), "XDG_CONFIG_HOME="+filepath.Join(r.prepared, "no-settings"))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pack the knowledge: %w: %s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return r.write("nodetriage-knowledge_"+r.version+".tar", data)
}
