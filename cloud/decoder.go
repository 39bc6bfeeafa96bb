package cloud

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Decoder reads the documents of one cloud: what its API answers and what people save with its tool. It does no I/O.
type Decoder interface {
	// Knows reports whether a JSON object is a document of this cloud, by fields that no other documents have.
	Knows(object map[string]any) bool
	// Decode reads such an object, or one that Lines handed on; the source names the document in references.
	Decode(object map[string]any, source string) Decoded
}

// ObjectDecoder is a Decoder of a cloud that shows its machines as objects of an API server.
type ObjectDecoder interface {
	Decoder
	// Objects reports whether objects of that version and kind are its documents.
	Objects(apiVersion, kind string) bool
}

// TextDecoder is a Decoder of a cloud whose tool also prints tables, YAML or lines.
type TextDecoder interface {
	Decoder
	// Shows reports by the start of a text whether there may be any of it.
	Shows(start []byte) bool
	// Lines begins to read a text; what it finds goes to the sink.
	Lines(to Sink) Lines
	// YAML reports by the start of a document whether the tool printed it as YAML.
	YAML(start []byte) bool
}

// Lines finds what a cloud's tool printed among the lines of a text.
type Lines interface {
	// Take reads a line, and reports whether it is one of the tool's own: then nothing else is to read it.
	Take(line []byte) bool
	// JSON reads a document of several lines, if the tool printed it and the lines before it tell more of it than it does itself.
	JSON(doc []byte) bool
	// End hands on what came so far.
	End()
}

// Sink takes what was found in a text.
type Sink interface {
	Object(object map[string]any) bool // one that is known to be of the cloud
	YAML(text []byte) bool             // printed by the tool; false: it cannot be read
	Gap(why string, how shell.Text)    // something that the text does not tell
}

// Decoded is what one document says.
type Decoded struct {
	Name       string           // of what it is about, for people
	At         time.Time        // when that happened; zero: not told
	Subject    evidence.Subject // whom its messages are about
	Lines      []string         // its texts line by line, in which signatures are looked for
	Paths      []string         // where in the document each line stands
	Resources  []evidence.CloudResource
	Activities []*evidence.CloudActivity
	Names      map[string]string // in commands of the cloud's tool, with what the document tells of them
}

// Tree decodes the first JSON value of a text, with numbers as they are written; nil if there is none.
func Tree(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return v
}
