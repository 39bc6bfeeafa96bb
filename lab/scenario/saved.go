//go:build linux

package scenario

import "context"

// Saved is the archive of node-check --save from the broken node before it was replaced. There is no other evidence,
// and the cluster is not read.
const Saved = "saved evidence"

const savedFile = "saved.tar.gz"

// save collects the archive of the node.
func (r Recorder) save(ctx context.Context, w *World, out *Record, result *Result) (err error) {
	result.Save, err = w.Machine.Save(ctx, r.Program, out.path(savedFile))
	return err
}
