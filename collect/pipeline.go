package collect

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// item is one undecoded object of a document.
type item struct {
	raw              []byte // owned by the item
	kind, apiVersion string
	yaml, text       bool   // the format, if not JSON
	fallback         string // kind, if the item has none
	line             int    // of its start
	single           bool   // not from a list
	list             int    // number of its list; 0: none
	section          *evidence.List
}

// decoded is an item with its result: an object, an error, or neither for unsupported kinds.
type decoded struct {
	item
	obj     any
	err     error
	left    []unfit // fields that do not decode
	guessed bool    // the kind is not from the item
	asGiven item    // before it was decoded
}

// decode decodes the item. If without is set, fields that do not decode are left out.
func (it item) decode(without bool) decoded {
	out := decoded{item: it, asGiven: it}
	if it.text {
		return out
	}
	if it.yaml {
		converted, err := bounds.YAMLToJSON(it.raw)
		if err != nil {
			out.err = fmt.Errorf("invalid YAML: %w", err)
			return out
		}
		v, err := valuesOf(converted).next()
		if err != nil {
			out.err = err
			return out
		}
		if it.list > 0 && converted[0] != '{' {
			out.err = errNoObject
			return out
		}
		out.raw, out.yaml = converted, false
		out.kind, out.apiVersion = v.kind, v.apiVersion
		if isRead(out.kind, out.apiVersion) {
			out.raw = compact(nil, v)
		}
	}
	if it.section != nil {
		out.obj, out.left, out.err = decodeItem(it.section, out.raw, without)
		return out
	}
	if out.kind == "" {
		out.guessed = true
		if out.kind = it.fallback; out.kind == "" {
			out.kind = kindByShape(out.raw)
		}
	}
	if out.kind != "" {
		out.obj, out.left, out.err = decodeObject(out.raw, out.kind, out.apiVersion, without)
	}
	return out
}

// pipeline decodes the items of one document on all processors and passes them on in order. Small documents are decoded in place.
type pipeline struct {
	add   func(decoded)
	batch []item
	size  int
	order chan chan []decoded // nil until there is a second batch
	done  chan struct{}
	unfit int // objects with fields that do not decode
}

const (
	batchBytes = 256 << 10
	batchItems = 256
)

func (p *pipeline) put(it item) {
	p.batch = append(p.batch, it)
	if p.size += len(it.raw); p.size >= batchBytes || len(p.batch) >= batchItems {
		p.flush()
	}
}

// flush sends the batch. The capacity of the channel bounds the pending batches.
func (p *pipeline) flush() {
	if p.order == nil {
		p.order, p.done = make(chan chan []decoded, runtime.GOMAXPROCS(0)), make(chan struct{})
		go p.collect()
	}
	out := make(chan []decoded, 1)
	p.order <- out
	go func(batch []item) { out <- decodeAll(batch) }(p.batch)
	p.batch, p.size = nil, 0
}

func decodeAll(batch []item) []decoded {
	out := make([]decoded, 0, len(batch))
	for _, it := range batch {
		out = append(out, it.decode(false))
	}
	return out
}

func (p *pipeline) collect() {
	defer close(p.done)
	for batch := range p.order {
		for _, d := range <-batch {
			p.hand(d)
		}
	}
}

// hand passes on an object, without fields that do not decode.
func (p *pipeline) hand(d decoded) {
	if d.err != nil && p.unfit < maxUnfitObjects {
		p.unfit++
		d = d.asGiven.decode(true)
	}
	p.add(d)
}

// close waits until everything is passed on.
func (p *pipeline) close() {
	if p.order != nil {
		if len(p.batch) > 0 {
			p.flush()
		}
		close(p.order)
		<-p.done
		return
	}
	for _, d := range decodeAll(p.batch) {
		p.hand(d)
	}
	p.batch = nil
}

// own copies the bytes of a value, which the next read overwrites. Supported objects are compacted.
func (v value) own(it item) item {
	it.kind, it.apiVersion, it.line = v.kind, v.apiVersion, v.line
	if it.section == nil && isRead(v.kind, v.apiVersion) {
		it.raw = compact(make([]byte, 0, len(v.raw)/2), v)
	} else {
		it.raw = slices.Clone(v.raw)
	}
	return it
}
