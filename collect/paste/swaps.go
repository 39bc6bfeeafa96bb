package paste

import (
	"slices"
	"strings"
)

// swapTable reads /proc/swaps, swapon -s and swapon --show.
type swapTable struct {
	p      *page
	asked  bool // a command requested it, so empty output counts
	header bool
	names  []string
	at     line
}

// startSwaps starts at either header.
func startSwaps(p *page, l line) reader {
	s := &swapTable{p: p, at: l}
	if !s.take(l) || !s.header {
		return nil
	}
	return s
}

func outputSwapon(p *page, c *command) reader {
	if c.filtered() || !c.sure || !listsSwaps(c.words[1:]) {
		return nil
	}
	return &swapTable{p: p, asked: true, at: line{no: p.no, text: c.raw}}
}

// listsSwaps reports whether swapon with these arguments lists the swap areas.
func listsSwaps(args []string) bool {
	if len(args) == 1 {
		return slices.Contains([]string{"-s", "--show", "--summary"}, args[0])
	}
	return len(args) == 0
}

func isSwapHeader(f []string) bool {
	if len(f) != 5 || !strings.EqualFold(f[1], "type") || !strings.EqualFold(f[3], "used") {
		return false
	}
	return f[0] == "Filename" || f[0] == "NAME"
}

func (s *swapTable) take(l line) bool {
	f := strings.Fields(l.text)
	switch {
	case len(f) == 0:
		return !s.header && s.asked
	case isSwapHeader(f):
		s.header, s.at = true, l
		return true
	case s.header && len(f) == 5 && strings.HasPrefix(f[0], "/"):
		s.names = append(s.names[:min(len(s.names), 100)], f[0])
		return true
	}
	return false
}

func (s *swapTable) close(how ending) {
	empty := len(s.names) == 0 && (s.header || s.asked && how != otherText)
	if len(s.names) == 0 && !empty || !s.p.text.room("swaps", s.at) {
		return
	}
	r := s.p.node()
	if len(s.names) > 0 && r.Memory != nil && r.Memory.SwapTotal != nil && *r.Memory.SwapTotal == 0 {
		r.Memory.SwapTotal = nil // it was enabled later
	}
	for _, n := range s.names {
		if !slices.Contains(r.Swaps, n) {
			r.Swaps = append(r.Swaps, n)
		}
	}
	if empty {
		m := memory(r)
		m.SwapTotal, m.Ref = new(uint64), quote(s.at)
	}
}
