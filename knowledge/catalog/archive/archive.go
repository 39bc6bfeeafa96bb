package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Format is the newest format of pages and signatures that this program reads. It reads older ones too. A new field needs a new
// format: a program that does not know the field would judge by half of the data.
const Format = 1

// Manifest is the first file of knowledge.zip.
type Manifest struct {
	Format  int    `json:"format"`
	Name    string `json:"name"`
	Version string `json:"version"`
	// Complete: its message signatures replace those of the program. It is a newer or older version of the built-in knowledge.
	Complete bool `json:"complete,omitempty"`
}

// Archive is the content of an archive.
type Archive struct {
	Manifest
	Digest   string // of the file: sha256:...
	SignedBy string // the id of the key; empty: the file has no signature
	Checked  bool   // the signature was verified with the given key
	Files    fs.FS  // like a folder of --catalog
}

// Limits of an archive. The whole built-in knowledge is half a megabyte packed and 2 MB unpacked.
const (
	MaxSize     = 16 << 20 // bytes of the file
	maxUnpacked = 64 << 20 // bytes of all files in it
	maxFile     = 4 << 20  // bytes of one file
	maxFiles    = 10_000
)

const manifestName = "knowledge.json"

var (
	word      = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$`)
	knownFile = lazyregexp.New(`^(symptoms\.yaml|(causes|questions)/[0-9A-Za-z][0-9A-Za-z._-]*\.md|signatures/[0-9A-Za-z][0-9A-Za-z._-]*\.yaml)$`)
)

func (m Manifest) check() error {
	switch {
	case m.Format < 1:
		return fmt.Errorf("it has the format %d: formats begin with 1", m.Format)
	case m.Format > Format:
		return fmt.Errorf("it has format %d, and this program reads formats up to %d: take a newer nodetriage", m.Format, Format)
	case !word.MatchString(m.Name) || strings.EqualFold(m.Name, catalog.BuiltIn):
		return fmt.Errorf("its name is %q: use letters, digits, dots and dashes, and another name than %s", m.Name, catalog.BuiltIn)
	case !word.MatchString(m.Version):
		return fmt.Errorf("its version is %q: use letters, digits, dots and dashes", m.Version)
	}
	return nil
}

var errChanged = errors.New("it was changed after it was made, or it is no archive of knowledge")
