//go:build linux

package scenario

import "context"

// Saved is what node-check --save kept on the broken node before it was replaced: nothing else is left of it, and the cluster is not
// asked.
const Saved = "saved evidence"

const savedFile = "saved.tar.gz"

// save takes what the node saves.
func (r Recorder) save(ctx context.Context, w *World, out *Record, result *Result) (err error) {
	result.Save, err = w.Machine.Save(ctx, r.Program, out.path(savedFile))
	return err
}
