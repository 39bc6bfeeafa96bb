//go:build linux

package story

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// kubeletsFile is the part of a bundle that holds what the kubelets answered.
const kubeletsFile = "objects/kubelets.json"

// unasked asks about a bundle without the answers of the kubelets.
func unasked(ctx context.Context, program, bundle string) (Answer, error) {
	dir, err := os.MkdirTemp("", "unasked-")
	if err != nil {
		return Answer{}, err
	}
	defer os.RemoveAll(dir)
	if err := unpack(bundle, dir, kubeletsFile); err != nil {
		return Answer{}, fmt.Errorf("unpack %s: %w", bundle, err)
	}
	return ask(ctx, program, "-f", dir), nil
}

// unpack writes the files of an archive below a folder, but for one.
func unpack(archive, dir, without string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case head.Name == without || !filepath.IsLocal(head.Name):
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, head.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, 0o644)); err != nil {
			return err
		}
	}
}
