package collect

import "github.com/nodetriage/nodetriage/evidence"

// AddObject adds one API object, trimmed, and returns its kind of evidence; "" for unsupported kinds. The builder owns the object
// afterwards.
func (b *Builder) AddObject(obj any) evidence.Kind {
	var kind evidence.Kind
	b.Edit(func(d *evidence.Data, t *evidence.Templates) { kind = d.Add(t, obj) })
	return kind
}

// linkWebhooks sets on each webhook the number of endpoints of its service, if endpoints were read.
func linkWebhooks(d *evidence.Data) {
	for _, w := range d.Webhooks {
		if n, ok := d.Endpoints[w.Service]; ok {
			w.Endpoints = n
		} else if w.Service != "" && d.Coverage[evidence.Endpoints] == evidence.Complete {
			w.Endpoints = 0
		}
	}
}
