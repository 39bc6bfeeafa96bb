package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

// Knowledge is a summary of the knowledge and its differences from the built-in one, in its stable JSON form.
type Knowledge struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`       // Knowledge
	Parts      []catalog.Origin `json:"parts"`      // its parts: later parts extend the first and replace entries
	Causes     KnowledgeOf      `json:"causes"`     // pages
	Symptoms   KnowledgeOf      `json:"symptoms"`   // entries
	Questions  KnowledgeOf      `json:"questions"`  // pages
	Signatures KnowledgeOf      `json:"signatures"` // of messages
}

// KnowledgeOf is the number of entries of one kind, and the ids that differ from the built-in ones.
type KnowledgeOf struct {
	Count   int      `json:"count"`
	Added   []string `json:"added"`
	Changed []string `json:"changed"`
	Gone    []string `json:"gone"`
}

// NewKnowledge compares a catalog and signatures with the built-in ones.
func NewKnowledge(parts []catalog.Origin, has, own *catalog.Catalog, says, ownSays *signatures.Set) (*Knowledge, error) {
	k := &Knowledge{APIVersion: evidence.APIVersion, Kind: "Knowledge", Parts: parts}
	var err error
	compare := func(to *KnowledgeOf, now, before map[string]any) {
		if err == nil {
			*to, err = compared(now, before)
		}
	}
	compare(&k.Causes, byID(has.Causes(), causePage), byID(own.Causes(), causePage))
	compare(&k.Symptoms, byID(has.Symptoms(), symptomEntry), byID(own.Symptoms(), symptomEntry))
	compare(&k.Questions, byID(has.Questions(), questionPage), byID(own.Questions(), questionPage))
	compare(&k.Signatures, byID(says.All(), signatureEntry), byID(ownSays.All(), signatureEntry))
	return k, err
}

func causePage(c *catalog.Cause) (id string, all any)       { return c.ID, []any{c, c.Meaning} }
func symptomEntry(s *catalog.Symptom) (id string, all any)  { return s.ID, s }
func questionPage(q *catalog.Question) (id string, all any) { return q.ID, []any{q, q.Answer} }
func signatureEntry(s *signatures.Signature) (string, any)  { return s.ID, []any{s, s.Component} }

func byID[T any](list []T, of func(T) (string, any)) map[string]any {
	out := map[string]any{}
	for _, x := range list {
		id, all := of(x)
		out[id] = all
	}
	return out
}

func compared(now, before map[string]any) (KnowledgeOf, error) {
	out := KnowledgeOf{Count: len(now), Added: []string{}, Changed: []string{}, Gone: []string{}}
	for _, id := range sortedKeys(now) {
		was, there := before[id]
		if !there {
			out.Added = append(out.Added, id)
			continue
		}
		a, err := json.Marshal(now[id])
		if err != nil {
			return out, err
		}
		b, err := json.Marshal(was)
		if err != nil {
			return out, err
		}
		if string(a) != string(b) {
			out.Changed = append(out.Changed, id)
		}
	}
	for _, id := range sortedKeys(before) {
		if _, there := now[id]; !there {
			out.Gone = append(out.Gone, id)
		}
	}
	return out, nil
}

// KnowledgeText writes it for a terminal.
func KnowledgeText(w io.Writer, k *Knowledge, style Style) error {
	k = cleaned(k)
	s := screen{style: style}
	for i, o := range k.Parts {
		then := "and then "
		if i == 0 {
			then = ""
		}
		s.line("%s", wording.Wrap(then+originSays(o), style.width(), margin))
	}
	for _, kind := range []struct {
		of   KnowledgeOf
		name string
	}{{k.Causes, "cause"}, {k.Symptoms, "symptom"}, {k.Questions, "question"}, {k.Signatures, "signature"}} {
		s.paragraph(wording.Count(kind.of.Count, kind.name) + kind.of.differs(&s))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// differs names what differs from the program.
func (k KnowledgeOf) differs(s *screen) string {
	var out []string
	for _, part := range []struct {
		ids  []string
		what string
	}{{k.Added, "new"}, {k.Changed, "not as built in"}, {k.Gone, "gone"}} {
		if n := len(part.ids); n > 0 {
			out = append(out, fmt.Sprintf("%d %s (%s)", n, part.what, wording.First(part.ids, s.limit(3, n))))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ": " + strings.Join(out, ", ")
}
