package accuracy

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

var loss = kind{
	name: "loss",
	says: "a fifth of the lines or objects gone by chance, and the kinds of objects away one by one",
	goal: "never wrong and certain; certainty never moves to another cause",
	variants: func(c *Case) []string {
		out := []string{"lines"}
		for _, kind := range listsOf(c) {
			if kind != "Bundle" && kind != "" {
				out = append(out, "without "+kind)
			}
		}
		return out
	},
	change: func(p Play) (Files, string) {
		if kind, ok := strings.CutPrefix(p.Variant, "without "); ok {
			return forbidden(p.Case.Files, kind)
		}
		out := p.Case.Files.each(func(f File) string { return thinned(f, p.Seed) })
		if slices.Equal(out, p.Case.Files) {
			return nil, "too short to lose something by this chance"
		}
		return resummed(out), ""
	},
	judge: func(p Play, got Answer) Problem { return uncertain(p.Case, got) },
}

// falls reports whether a line or object is dropped. It depends only on its content, so that the same lines are dropped from a
// smaller input.
func falls(seed uint64, what string, number int) bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d %s", seed, number, what)
	return h.Sum64()>>32%5 == 0
}

func thinned(f File, seed uint64) string {
	if f.Name == manifestName {
		return f.Text
	}
	if d, ok := parseDocument(f); ok {
		lists := d.lists()
		for _, l := range lists {
			kept := []any{}
			for i, item := range l["items"].([]any) {
				if !falls(seed, textAt(item, "metadata", "uid")+textAt(item, "name")+textAt(item, "message"), i) {
					kept = append(kept, item)
				}
			}
			l["items"] = kept
		}
		if len(lists) == 0 {
			return f.Text
		}
		return d.text()
	}
	if f.objects() {
		return f.Text
	}
	seen := map[string]int{}
	var kept []string
	for _, l := range lines(f.Text) {
		seen[l]++
		if !falls(seed, l, seen[l]) {
			kept = append(kept, l)
		}
	}
	return unlines(kept)
}

// forbidden returns the evidence of a user who may not read objects of one kind.
func forbidden(files Files, kind string) (Files, string) {
	var out Files
	for _, f := range files {
		d, ok := parseDocument(f)
		switch {
		case f.Name == manifestName:
			out = append(out, File{f.Name, forbiddenIn(f, kind)})
		case ok:
			if text := without(d, kind); text != "" {
				out = append(out, File{f.Name, text})
			}
		default:
			var kept []string
			for _, b := range blocks(f.Text) {
				if string(b.form) != kind {
					kept = append(kept, b.lines...)
				}
			}
			if len(kept) > 0 {
				out = append(out, File{f.Name, unlines(kept)})
			}
		}
	}
	if len(out) == 0 {
		return nil, "nothing is left"
	}
	return resummed(out), ""
}

// without returns a document without the objects of a kind; empty if it contained nothing else.
func without(d document, kind string) string {
	held, left := 0, 0
	d.each(func(of string, o object) {
		held++
		if of == kind {
			o["gone"] = true
			return
		}
		left++
	})
	if held > 0 && left == 0 {
		return ""
	}
	for _, l := range d.lists() {
		l["items"] = slices.DeleteFunc(l["items"].([]any), func(item any) bool { return at(item, "gone") != nil })
	}
	d.roots = slices.DeleteFunc(d.roots, func(root any) bool { return at(root, "gone") != nil })
	return d.text()
}

// forbiddenIn returns the manifest of a bundle whose collector could not read one kind.
func forbiddenIn(f File, kind string) string {
	d, ok := parseDocument(f)
	of, bundled := strings.CutPrefix(kind, "bundle/")
	if !ok || !bundled {
		return f.Text
	}
	m := d.roots[0].(object)
	resource := map[string]string{"claims": "persistentvolumeclaims", "volumes": "persistentvolumes", "pdbs": "poddisruptionbudgets", "csrs": "certificatesigningrequests", "webhooks": "webhookconfigurations"}[of]
	if resource == "" {
		resource = of
	}
	delete(below(m, "coverage"), resource)
	m["gaps"] = append(listAt(m, "gaps"), object{"what": resource, "why": "forbidden", "how": ""})
	return d.text()
}
