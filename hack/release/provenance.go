package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// provenance writes the SLSA provenance of the release, for the signer. It names the builder, so it is not among the
// reproducible files.
func (r *release) provenance(builder string) error {
	if builder == "" {
		return nil
	}
	data, err := indented(object{
		"buildDefinition": object{
			"buildType":            page + "/blob/main/docs/install.md",
			"externalParameters":   object{"source": page, "version": r.version, "command": "make release"},
			"internalParameters":   object{"go": runtime.Version()},
			"resolvedDependencies": []object{{"uri": "git+" + page, "digest": object{"gitCommit": r.commit}}},
		},
		"runDetails": object{"builder": object{"id": builder}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "provenance.json"), data, 0o600)
}
