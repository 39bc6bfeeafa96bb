package main

import (
	"github.com/nodetriage/nodetriage/kube"
)

// writer returns a Writer, and a Reader. It is the only function that creates a Writer. Its caller has shown what will be
// written, or a flag asked for it.
func (f *sourceFlags) writer(dryRun bool) (*kube.Reader, *kube.Writer, error) {
	reader, err := f.reader()
	if err != nil {
		return nil, nil, err
	}
	config, err := f.config()
	if err != nil {
		return nil, nil, err
	}
	w, err := kube.NewWriter(config, kube.Options{}, dryRun)
	if err != nil {
		return nil, nil, badUsage(err)
	}
	return reader, w, nil
}
