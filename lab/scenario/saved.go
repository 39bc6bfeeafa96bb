//go:build linux

package scenario

import (
	"context"
	"os"
	"time"
)

// Saved is what node-check --save kept on the broken node before it was replaced: nothing else is left of it, and the cluster is not
// asked.
const Saved = "saved evidence"

// Save is what it was to save a node's evidence.
type Save struct {
	Size int64         // of the file, in bytes; 0: nothing was saved
	Took time.Duration // looking at the node and its first judgement included
}

// save takes what the node saves.
func (r Recorder) save(ctx context.Context, w *World, out *Record, result *Result) error {
	file := out.path(savedFile)
	took, err := w.Machine.Save(ctx, r.Program, file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	result.Save = Save{Size: info.Size(), Took: took}
	return nil
}

const savedFile = "saved.tar.gz"
