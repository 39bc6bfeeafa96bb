package main

import (
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/term"
	_ "k8s.io/cli-runtime/pkg/genericclioptions"
	_ "k8s.io/client-go/kubernetes"
)
