package collect

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// A recorded case (docs/knowledge.md) holds evidence and the truth about it. Only the evidence is read.

const (
	truthFile   = "truth.yaml"
	caseContent = "evidence"
)

var (
	caseTruth    = lazyregexp.New(`(?m)^-- truth\.yaml --\r?$`)
	caseEvidence = lazyregexp.New(`(?m)^-- evidence/\S.* --\r?$`)
	truthClass   = lazyregexp.New(`(?m)^class:`)
)

// isCase reports whether a file is a recorded case, by its start.
func isCase(d document, start []byte) bool {
	truth := bytes.Contains(start, []byte("-- "+truthFile)) && caseTruth.Match(start) // searching for a literal first takes a tenth of the time
	content := bytes.Contains(start, []byte("-- "+caseContent)) && caseEvidence.Match(start)
	if path.Ext(d.path) == ".txtar" {
		return truth || content
	}
	return truth && content
}

// isTruth reports whether a file is the truth of a case that is a folder.
func isTruth(d document, start []byte) bool {
	return path.Base(d.path) == truthFile && truthClass.Match(start)
}

// contentOf returns the evidence of a folder that is a case, and any other folder unchanged.
func contentOf(files fs.FS) fs.FS {
	if _, err := fs.Stat(files, truthFile); err != nil {
		return files
	}
	if info, err := fs.Stat(files, caseContent); err != nil || !info.IsDir() {
		return files
	}
	content, err := fs.Sub(files, caseContent)
	if err != nil {
		return files
	}
	return content
}

// addCase reads the evidence of a case that is one file.
func (b *Builder) addCase(d document, r io.Reader) {
	data, err := io.ReadAll(io.LimitReader(r, maxInside+1))
	if err != nil || len(data) > maxInside {
		b.Gap(d.name, fmt.Sprintf("is a case of more than %d MiB, or cannot be read completely", maxInside>>20), "unpack it and pass the folder")
		return
	}
	files, err := txtar.FS(txtar.Parse(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
	if err != nil {
		b.Gap(d.name, "is a case that cannot be read: "+err.Error(), "")
		return
	}
	content, err := fs.Sub(files, caseContent)
	if err != nil {
		b.Gap(d.name, "is a case without evidence", "")
		return
	}
	b.found()
	c := d.archive()
	c.path = d.from.path // the name of a case does not name a node
	defer c.finish()
	if err := c.readFS(content); err != nil {
		b.Gap(d.name, "is a case without evidence", "")
	}
}
