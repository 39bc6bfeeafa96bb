package main

import "fmt"

// most is how large the archive of nodetriage may be.
const most = 20_000_000

// program makes the archive of nodetriage for one system.
func (r *release) program(goos, goarch string) error {
	name := "nodetriage"
	if goos == "windows" {
		name += ".exe"
	}
	a, data, err := r.build("nodetriage", programs[0], name, goos, goarch, "")
	if err != nil {
		return err
	}
	texts, err := r.texts(a)
	if err != nil {
		return err
	}
	entries := append([]entry{{name: name, mode: 0o755, data: data}}, texts...)
	entries = append(entries, r.completions...)
	pack, ending := tarball, ".tar.gz"
	if goos == "windows" {
		pack, ending = zipped, ".zip"
	} else {
		entries = append(entries, r.manpages...)
	}
	packed, err := pack(entries, r.at)
	if err != nil {
		return err
	}
	if len(packed) > most {
		return fmt.Errorf("archive of nodetriage has %d bytes, more than %d", len(packed), most)
	}
	r.archives[goos+"/"+goarch] = a.id() + ending
	if goos == "linux" {
		r.inImage(a, data, texts)
	}
	return r.write(a.id()+ending, packed)
}
