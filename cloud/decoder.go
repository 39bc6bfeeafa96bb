package cloud

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Decoder decodes the documents of one cloud: API answers and saved output of its tool. It does no I/O.
type Decoder interface {
	// Knows reports whether a JSON object is a document of this cloud, by fields that other documents do not have.
	Knows(object map[string]any) bool
	// Decode decodes such an object, or one from Lines. References use the source as the document name.
	Decode(object map[string]any, source string) Decoded
}

// ObjectDecoder is a Decoder of a cloud whose machines are Kubernetes objects.
type ObjectDecoder interface {
	Decoder
	// Objects reports whether objects of this version and kind are its documents.
	Objects(apiVersion, kind string) bool
}

// TextDecoder is a Decoder of a cloud whose tool also prints tables, YAML or lines.
type TextDecoder interface {
	Decoder
	// Shows reports by the start of a text whether it may contain such output.
	Shows(start []byte) bool
	// Lines starts reading a text. The sink receives the results.
	Lines(to Sink) Lines
	// YAML reports by the start of a document whether the tool printed it as YAML.
	YAML(start []byte) bool
}

// Lines finds output of a cloud's tool in the lines of a text.
type Lines interface {
	// Take reads a line, and reports whether it belongs to the tool. No other decoder must read it then.
	Take(line []byte) bool
	// JSON reads a multi-line document if the tool printed it and the previous lines have more facts about it.
	JSON(doc []byte) bool
	// End passes on the rest.
	End()
}

// Sink receives what a text contains.
type Sink interface {
	Object(object map[string]any) bool // a known object of the cloud
	YAML(text []byte) bool             // printed by the tool; false: it does not parse
	Gap(why string, how shell.Text)    // a fact that is missing in the text
}

// Decoded is the content of one document.
type Decoded struct {
	Name       string           // display name of its subject
	At         time.Time        // time of the event; zero: unknown
	Subject    evidence.Subject // subject of its messages
	Lines      []string         // its texts line by line, for signatures
	Paths      []string         // path of each line in the document
	Resources  []evidence.CloudResource
	Activities []*evidence.CloudActivity
	Names      map[string]string // placeholders of the cloud's commands, with their values in the document
}

// Tree decodes the first JSON value of a text and keeps the digits of numbers; nil if there is none.
func Tree(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return v
}
