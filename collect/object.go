package collect

import "github.com/nodetriage/nodetriage/evidence"

// AddObject adds one API object, trimmed, and tells which kind of evidence it is; "" for kinds that nothing
// reads. The object belongs to the builder afterwards.
func (b *Builder) AddObject(obj any) evidence.Kind {
	var kind evidence.Kind
	b.Edit(func(d *evidence.Data, t *evidence.Templates) { kind = d.Add(t, obj) })
	return kind
}

// linkWebhooks tells every webhook how many endpoints can answer it, where that was read.
func linkWebhooks(d *evidence.Data) {
	for _, w := range d.Webhooks {
		if n, ok := d.Endpoints[w.Service]; ok {
			w.Endpoints = n
		} else if w.Service != "" && d.Coverage[evidence.Endpoints] == evidence.Complete {
			w.Endpoints = 0
		}
	}
}
