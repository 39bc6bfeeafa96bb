package paste

import (
	"encoding/json"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// crictlVersion reads crictl version.
func crictlVersion(p *page) reader {
	return each(func(l line) bool {
		key, value, ok := splitKey(l.text)
		if !ok {
			return false
		}
		switch key {
		case "RuntimeName":
			p.runtime().Name = value
		case "RuntimeVersion":
			r := p.runtime()
			r.Version = value
			answered(r, l)
		case "Version", "RuntimeApiVersion":
		default:
			return false
		}
		p.text.rows["runtime answers"]++
		return true
	})
}

// criInfo collects the JSON of crictl info.
type criInfo struct {
	p    *page
	text strings.Builder
	last line
	// whole: the closing brace was read.
	whole bool
}

func (i *criInfo) take(l line) bool {
	if i.whole || i.text.Len() == 0 && !strings.HasPrefix(l.text, "{") || i.text.Len() > 1<<20 {
		return false
	}
	i.text.WriteString(l.text)
	i.text.WriteByte('\n')
	i.last, i.whole = l, l.text == "}"
	return true
}

func (i *criInfo) close(ending) {
	var state struct {
		Conditions []struct {
			Type, Reason, Message string
			Status                bool
		}
	}
	// The status comes first. The text may be cut off after it.
	_, rest, _ := strings.Cut(i.text.String(), `"status":`)
	if json.NewDecoder(strings.NewReader(rest)).Decode(&state) != nil || len(state.Conditions) == 0 || !i.p.text.room("runtime answers", i.last) {
		return
	}
	r := i.p.runtime()
	r.Answer, r.Ref = "ok", "crictl info"
	for _, c := range state.Conditions {
		status := c.Status
		switch c.Type {
		case "RuntimeReady":
			r.RuntimeReady = &status
		case "NetworkReady":
			r.NetworkReady = &status
		default:
			continue
		}
		if !status {
			r.Message = wording.Cut(strings.TrimSpace(c.Reason+": "+c.Message), maxQuote)
		}
	}
}
