package main

import (
	"github.com/nodetriage/nodetriage/kube"
)

// writer makes a Writer, with a Reader beside it. It is the only place that does: whoever calls it has shown what will be
// written, or was asked for it by a flag.
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
