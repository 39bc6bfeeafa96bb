//go:build linux

package story

import (
	"bytes"
	"context"
	"fmt"
	"os"
)

// kubeletsFile is the part of a bundle with the answers of the kubelets.
const kubeletsFile = "objects/kubelets.json"

// unasked diagnoses a bundle without the answers of the kubelets.
func unasked(ctx context.Context, program, bundle string) (Answer, error) {
	dir, err := os.MkdirTemp("", "unasked-")
	if err != nil {
		return Answer{}, err
	}
	defer os.RemoveAll(dir)
	text, err := content(bundle)
	if err != nil {
		return Answer{}, err
	}
	if err := untar(bytes.NewReader(text), dir, kubeletsFile); err != nil {
		return Answer{}, fmt.Errorf("unpack %s: %w", bundle, err)
	}
	return ask(ctx, program, "-f", dir), nil
}
