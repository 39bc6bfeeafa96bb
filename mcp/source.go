package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// errTimeout is the cause of a context that ended because a question took too long.
var errTimeout = errors.New("the time for the answer is over")

// source gives each question its evidence.
type source struct {
	Options
	slots chan struct{} // one for each question that is being answered

	mu    sync.Mutex
	names *anonymize.Names // aliases of all questions so far; nil: names are shown, or no question yet
}

// parallel is how many questions are answered at a time. The evidence of a large cluster takes hundreds of megabytes.
const parallel = 2

func newSource(opt Options) *source {
	return &source{Options: opt, slots: make(chan struct{}, parallel)}
}

// answering waits for its turn, and limits the time of a question.
func (s *source) answering(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.Timeout, errTimeout)
	select {
	case s.slots <- struct{}{}:
		return ctx, func() { <-s.slots; cancel() }, nil
	case <-ctx.Done():
		defer cancel()
		return nil, nil, failed(ctx, context.Cause(ctx), s.hidden)
	}
}

// from returns the evidence of the configured source. With HideNames the evidence is read here and has aliases already, so that
// every question can be asked about it, and names keep their aliases from question to question.
func (s *source) from(ctx context.Context) (ask.From, error) {
	from, err := s.From()
	from = reporting(ctx, from)
	if err != nil || !s.HideNames {
		return from, err
	}
	return s.hide(ctx, from)
}

// hide reads the evidence and replaces the names in it.
func (s *source) hide(ctx context.Context, from ask.From) (ask.From, error) {
	read, err := ask.Read(ctx, from, ask.Scope{Cloud: true, Upgrade: true})
	if err != nil {
		return from, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = from.Knowledge.NewNames()
	}
	s.names.Declare(read.Data())
	from.Source = ask.Held{Snapshot: s.names.Hide(read.Data())}
	if s.KeepNames == nil {
		return from, nil
	}
	return from, s.KeepNames(s.names)
}

// alias returns the alias of a name that was given, or the name itself.
func (s *source) alias(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		return name
	}
	return s.names.Of(name)
}

func (s *source) aliases(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, s.alias(name))
	}
	return out
}

// hidden replaces names in a text.
func (s *source) hidden(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		return text
	}
	return s.names.Text(text)
}

// DefaultTimeout is the time for an answer if no other is set.
const DefaultTimeout = 2 * time.Minute
