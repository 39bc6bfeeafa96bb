package collect

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// message is a text of an object, with who wrote its frame.
type message struct {
	text    string
	kind    string
	about   evidence.Subject
	speaker logline.Speaker
	channel evidence.Channel
	spec    []string // texts of the pod spec that the message may repeat
}

// scanner remembers the answer for texts that come again and again.
type scanner struct {
	set      *signatures.Set
	matchers map[string]*signatures.Matcher // by the kind of their texts
	known    map[string][]signatures.Tally
}

func newScanner(set *signatures.Set) scanner {
	return scanner{set: set, matchers: map[string]*signatures.Matcher{}, known: map[string][]signatures.Tally{}}
}

// scan returns what signatures recognise in the message, each in the name of who wrote the words that it rests on: what is
// recognised without the quotes is the component's, everything else belongs to whoever is quoted.
func (s *scanner) scan(m message) []*evidence.Match {
	tallies := s.tallies(m.text, m.kind)
	if len(tallies) == 0 {
		return nil
	}
	quotes := quotesIn(m.text, m.spec)
	if evidence.ComponentNamespace(m.about.Namespace) {
		quotes = nil // the pod is a component
	}
	own := s.withoutQuotes(m, quotes)
	var out []*evidence.Match
	for _, t := range tallies {
		found := match(t, "", m.kind, m.about)
		found.Context, found.Speaker = nil, m.speaker
		channel, heard := m.channel, own[t.Signature]
		if len(quotes) > 0 && heard == nil {
			channel = quoteOf(t, m.text, quotes)
		}
		found.Hear(channel)
		if found.OfApplication && m.about.IsZero() {
			found.Speaker = logline.Other // nothing shows that it is no component
		}
		if heard != nil {
			found.Foreign = changed(found.Captures, heard.Captures)
		}
		out = append(out, found)
	}
	return out
}

// withoutQuotes are the signatures that recognise the message without any quote.
func (s *scanner) withoutQuotes(m message, quotes []quote) map[*signatures.Signature]*signatures.Tally {
	out := map[*signatures.Signature]*signatures.Tally{}
	if len(quotes) > 0 {
		for _, t := range s.tallies(unquoted(m.text, quotes, masked, func(quote) bool { return true }), m.kind) {
			out[t.Signature] = &t
		}
	}
	return out
}

// quoteOf is the channel of the quote in which a signature recognises something.
func quoteOf(t signatures.Tally, text string, quotes []quote) evidence.Channel {
	for _, q := range quotes {
		if t.Signature.Hit(text[q.from:q.to]) != "" {
			return q.channel
		}
	}
	return quotes[0].channel
}

// changed are the names of captures that are not the same without quotes.
func changed(captures, without map[string]string) []string {
	var out []string
	for name, value := range captures {
		if without[name] != value {
			out = append(out, name)
		}
	}
	return out
}

func (s *scanner) tallies(text, kind string) []signatures.Tally {
	key := kind + "\x00" + text
	tallies, ok := s.known[key]
	if !ok {
		m := s.matchers[kind]
		if m == nil {
			m = s.set.Matcher(kind)
			s.matchers[kind] = m
		}
		tallies = m.Match(text)
		if len(s.known) < 10_000 && len(text) < 2_000 {
			s.known[key] = tallies
		}
	}
	return tallies
}
