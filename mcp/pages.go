package mcp

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// MaxTokens is the most that an answer costs a model, at BytesPerToken bytes a token.
const (
	MaxTokens     = 6000
	BytesPerToken = 3.5
	MaxAnswer     = MaxTokens * 35 / 10
)

// Parts of an answer, in bytes. What the fixed parts leave is for the rest.
const (
	costOfFirst    = 6000
	costOfNext     = 3000
	costOfAvoid    = 2500
	costOfUnknown  = 2500
	costOfSource   = 1500
	costOfItem     = 6000
	costOfPage     = 12000 // of the first page: what most readers need; later pages have up to MaxAnswer
	costOfEnvelope = 600   // cursor, and the names of the result's own fields
)

// Answers are kept for their later pages and their evidence.
const (
	keptAnswers = 32
	keptFor     = 30 * time.Minute
)

// kept is an answer with what its first page left out.
type kept struct {
	id       string
	tool     string
	at       time.Time
	head     Answer // of later pages
	rest     []Item
	evidence [][]evidence.Ref // by number of the finding, from 1
}

// shelf keeps the last answers. Their ids cannot be guessed, so that sessions do not read the answers of others.
type shelf struct {
	mu  sync.Mutex
	all []*kept
	now func() time.Time
}

func newKept(tool string) *kept { return &kept{id: strings.ToLower(rand.Text()), tool: tool} }

// cite keeps the evidence of a finding and returns the URI of its resource.
func (k *kept) cite(refs []evidence.Ref) string {
	k.evidence = append(k.evidence, refs)
	return fmt.Sprintf("%s%s/%d/1", evidenceURI, k.id, len(k.evidence))
}

func (s *shelf) put(k *kept) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k.at = s.now()
	s.all = append(s.all, k)
	if n := len(s.all) - keptAnswers; n > 0 {
		s.all = slices.Delete(s.all, 0, n)
	}
}

func (s *shelf) find(id string) *kept {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.all {
		if k.id == id && s.now().Sub(k.at) < keptFor {
			return k
		}
	}
	return nil
}

// first returns the first page of an answer, and keeps the others.
func (s *shelf) first(k *kept, a Answer) Answer {
	a.First, a.Next = a.First.within(costOfFirst), a.Next.within(costOfNext)
	var avoided, unknown []Item
	a.Avoid, avoided = fit(a.Avoid, costOfAvoid)
	a.NotKnown, unknown = fit(a.NotKnown, costOfUnknown)
	a.Untrusted = Item{Untrusted: a.Untrusted}.within(costOfSource).Untrusted
	a.Impact = cut(a.Impact, longSays)
	k.rest = slices.Concat(avoided, a.Rest, unknown)
	k.head = Answer{Verdict: a.Verdict, TakenAt: a.TakenAt}
	s.put(k)
	return k.page(a, 0, costOfPage)
}

// next returns the page at a cursor.
func (s *shelf) next(tool, cursor string) (Answer, error) {
	id, from, _ := strings.Cut(cursor, ".")
	k := s.find(id)
	at, err := strconv.Atoi(from)
	known := k != nil && k.tool == tool
	if !known || err != nil || at < 0 || at > len(k.rest) {
		return Answer{}, refuse("the cursor is unknown or expired: ask again without a cursor")
	}
	return k.page(k.head, at, MaxAnswer), nil
}

// page adds the items from at on that fit an answer of this cost.
func (k *kept) page(a Answer, at, most int) Answer {
	a.Rest, a.Left, a.Cursor = nil, 0, ""
	taken, left := fit(k.rest[at:], most-costOfEnvelope-cost(a))
	a.Rest, a.Left = taken, len(left)
	if len(left) > 0 {
		a.Cursor = fmt.Sprintf("%s.%d", k.id, at+len(taken))
	}
	return a
}

// fit returns the first items that together cost at most so much, and the others.
func fit(items []Item, most int) (taken, left []Item) {
	for i, item := range items {
		item = item.within(costOfItem)
		if most -= cost(item) + 2; most < 0 {
			return taken, items[i:]
		}
		taken = append(taken, item)
	}
	return taken, nil
}
