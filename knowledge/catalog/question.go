package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Question is a frequent question about nodes, with an answer of one screen.
type Question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Asked    []string `json:"asked,omitempty"` // other search terms
	See      []string `json:"see,omitempty"`   // related causes and symptoms
	Run      string   `json:"run,omitempty"`   // the nodetriage command that answers it for the reader's cluster
	Answer   string   `json:"-"`               // the page's Markdown below the front matter
}

// Question returns the question with that id, or nil.
func (c *Catalog) Question(id string) *Question { return c.questions[id] }

// Questions returns all questions ordered by id.
func (c *Catalog) Questions() []*Question {
	out := make([]*Question, 0, len(c.questions))
	for _, id := range slices.Sorted(maps.Keys(c.questions)) {
		out = append(out, c.questions[id])
	}
	return out
}

// readQuestions adds questions/*.md; all errors are reported at once.
func (c *Catalog) readQuestions(files fs.FS) error {
	names, err := fs.Glob(files, "questions/*.md")
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		var q Question
		q.Answer, err = parsePage(data, &q)
		switch want := strings.TrimSuffix(path.Base(name), ".md"); {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		case q.ID != want:
			errs = append(errs, fmt.Errorf("%s: the id is %q, the file name says %q", name, q.ID, want))
		case q.Question == "" || q.Answer == "":
			errs = append(errs, fmt.Errorf("%s: question and a text below the front matter are required", name))
		default:
			c.questions[q.ID] = &q
		}
	}
	return errors.Join(errs...)
}

// linkQuestions checks that ids are unique and that the references of a question exist.
func (c *Catalog) linkQuestions() error {
	var errs []error
	for _, q := range c.Questions() {
		if c.causes[q.ID] != nil || c.symptoms[q.ID] != nil {
			errs = append(errs, fmt.Errorf("question %s: a cause or symptom has the same id", q.ID))
		}
		for _, id := range q.See {
			if c.causes[id] == nil && c.symptoms[id] == nil {
				errs = append(errs, fmt.Errorf("question %s: see %q, which is neither a cause nor a symptom", q.ID, id))
			}
		}
	}
	return errors.Join(errs...)
}
