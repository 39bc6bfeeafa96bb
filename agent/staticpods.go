package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// maxStaticPods bounds the files of the folder.
const maxStaticPods = 100

// staticPods reads the static pod folder like the kubelet: every file whose name does not begin with a dot must be one
// pod in JSON or YAML (kubernetes pkg/kubelet/config/file.go and common.go, 1.36.3).
func staticPods(_ context.Context, h *Host, r *nodereport.Report) error {
	s := h.kubelet()
	dir := s.config.StaticPodPath
	if flag := s.flags["pod-manifest-path"]; flag != "" {
		dir = flag
	}
	if dir == "" {
		if s.configFile == "" || s.configErr != nil {
			return errors.New("the kubelet's configuration (staticPodPath) was not read")
		}
		return nil
	}
	entries, err := h.list(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || len(r.StaticPods) == maxStaticPods {
			continue
		}
		p := nodereport.StaticPod{File: path.Join(dir, e.Name())}
		data, err := h.read(p.File, maxFile)
		if errors.Is(err, fs.ErrPermission) {
			gap(r, "static pod "+p.File, err, shell.Format("cat {file}", p.File))
			continue
		}
		if err == nil {
			p.Name, err = podIn(data)
		}
		p.Ref = p.File + ": " + p.Name
		if err != nil {
			p.Error = wording.Cut(err.Error(), 300)
			p.Ref = p.File + ": " + p.Error
		}
		r.StaticPods = append(r.StaticPods, p)
	}
	return nil
}

// podIn returns the name of the pod in a manifest, or why it is not a pod.
func podIn(data []byte) (string, error) {
	if len(strings.TrimSpace(string(data))) == 0 {
		return "", errors.New("the file is empty")
	}
	var pod struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec struct {
			Containers []struct {
				Name  string `json:"name"`
				Image string `json:"image"`
			} `json:"containers"`
		} `json:"spec"`
	}
	if err := yaml.Unmarshal(data, &pod); err != nil {
		return "", fmt.Errorf("it cannot be read: %w", err)
	}
	name := wording.Cut(pod.Metadata.Name, 253)
	switch {
	case pod.Kind != "Pod" || pod.APIVersion != "v1":
		return name, fmt.Errorf("not a v1 Pod, but %q %q", wording.Cut(pod.APIVersion, 60), wording.Cut(pod.Kind, 60))
	case name == "":
		return name, errors.New("the pod has no name")
	case len(pod.Spec.Containers) == 0:
		return name, errors.New("the pod has no container")
	}
	for _, c := range pod.Spec.Containers {
		if c.Name == "" || c.Image == "" {
			return name, errors.New("a container has no name or no image")
		}
	}
	return name, nil
}
