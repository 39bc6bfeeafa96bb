package collect

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// message is a text of an object, and the author of its frame.
type message struct {
	text    string
	kind    string
	about   evidence.Subject
	speaker logline.Speaker
	channel evidence.Channel
	spec    []string // texts of the pod spec that the message may repeat
}

// scanner caches the results for repeated texts.
type scanner struct {
	set      *signatures.Set
	matchers map[string]*signatures.Matcher // by the kind of their texts
	known    map[string][]signatures.Tally
}

func newScanner(set *signatures.Set) scanner {
	return scanner{set: set, matchers: map[string]*signatures.Matcher{}, known: map[string][]signatures.Tally{}}
}

// scan returns the matches in the message, each attributed to the author of the matched text. A match that does not need the
// quotes belongs to the component; any other belongs to the quoted author.
func (s *scanner) scan(m message) []*evidence.Match {
	tallies := s.tallies(m.text, m.kind)
	if len(tallies) == 0 {
		return nil
	}
	quotes := quotesIn(m.text, m.spec)
	if evidence.ComponentNamespace(m.about.Namespace) {
		quotes = nil // the pod is a cluster component
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

// withoutQuotes returns the signatures that match the message without any quote.
func (s *scanner) withoutQuotes(m message, quotes []quote) map[*signatures.Signature]*signatures.Tally {
	out := map[*signatures.Signature]*signatures.Tally{}
	if len(quotes) > 0 {
		for _, t := range s.tallies(unquoted(m.text, quotes, masked, func(quote) bool { return true }), m.kind) {
			out[t.Signature] = &t
		}
	}
	return out
}

// quoteOf returns the channel of the quote that contains the match.
func quoteOf(t signatures.Tally, text string, quotes []quote) evidence.Channel {
	for _, q := range quotes {
		if t.Signature.Hit(text[q.from:q.to]) != "" {
			return q.channel
		}
	}
	return quotes[0].channel
}

// changed returns the names of captures that differ without quotes.
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
