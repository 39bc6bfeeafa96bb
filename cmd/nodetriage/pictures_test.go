package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/site/picture"
)

var updatePictures = flag.Bool("update-pictures", false, "draw docs/pictures")

// pictures are the pictures of terminals in docs/pictures, and the commands in them. They run after one another in one folder.
var pictures = []struct{ name, command string }{
	{"diagnose", "nodetriage diagnose --example=runtime-hang"},
	{"", "nodetriage collect --example stuck-upgrade -o shop.tar.gz"},
	{"stuck-upgrade", "nodetriage diagnose shop.tar.gz"},
	{"check", "nodetriage check -f shop.tar.gz"},
	{"upgrade", "nodetriage upgrade nodepool1 --plan -f shop.tar.gz"},
	{"drain", "nodetriage drain aks-nodepool1-38412791-vmss000001 --plan -f shop.tar.gz"},
	{"nodes", "nodetriage nodes -f shop.tar.gz"},
}

// The pictures show what the program prints now.
func TestPictures(t *testing.T) {
	reader := newReader(t)
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	dir := reader.abs("../../docs/pictures")
	drawn := map[string]bool{filepath.Join(dir, "reasoning.svg"): true} // by hand
	for _, p := range pictures {
		text, err := reader.run(p.command)
		if err != nil {
			t.Fatal(err)
		}
		if p.name == "" {
			continue
		}
		if !strings.Contains(text, "\x1b[") {
			t.Errorf("%s: the output has no color", p.command)
		}
		file := filepath.Join(dir, p.name+".svg")
		drawn[file] = true
		fresh := picture.Draw(p.command, text)
		if *updatePictures {
			if err := os.WriteFile(file, fresh, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if old, err := os.ReadFile(file); err != nil || !bytes.Equal(old, fresh) {
			t.Errorf("%s is out of date (%v); run make pictures", file, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !drawn[file] {
			t.Errorf("%s is drawn by no command", file)
		}
	}
}
