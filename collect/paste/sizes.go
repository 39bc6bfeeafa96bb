package paste

import (
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// sizes reads du output, with a size and a path in each line, and find output with sizes.
type sizes struct {
	p      *page
	inodes bool
	unit   uint64 // of plain numbers, in bytes
	rows   int
}

// maxSizes bounds the paths of one node.
const maxSizes = 200

// outputSizes starts after du and find, even if other commands sort or cut their output.
func outputSizes(p *page, c *command) reader {
	for _, f := range c.filters {
		if !slices.Contains([]string{"sort", "head", "tail", "grep", "egrep"}, toolName(f[0])) {
			return nil
		}
	}
	s := &sizes{p: p, unit: 1 << 10}
	if c.tool() == "find" {
		return s
	}
	for _, w := range c.words[1:] {
		switch {
		case w == "--inodes":
			s.inodes = true
		case strings.HasPrefix(w, "--") || !strings.HasPrefix(w, "-"):
		case strings.Contains(w, "m"):
			s.unit = 1 << 20
		case strings.Contains(w, "b"):
			s.unit = 1
		}
	}
	return s
}

func (s *sizes) take(l line) bool {
	text := strings.TrimSpace(l.text)
	if strings.HasPrefix(text, "du: ") || strings.HasPrefix(text, "find: ") {
		return true // not readable for du
	}
	size := nodereport.Size{Ref: quote(l)}
	if m := longEntry.FindStringSubmatch(text); m != nil {
		size.Path, size.Bytes = m[3], parseSize(m[2], 1)
	} else if number, path, found := strings.Cut(strings.Replace(text, "\t", " ", 1), " "); found {
		size.Path = strings.TrimSpace(path)
		if n := parseSize(number, s.unit); s.inodes {
			size.Inodes = parseSize(number, 1)
		} else {
			size.Bytes = n
		}
	}
	isPath := strings.HasPrefix(size.Path, "/") && !strings.Contains(size.Path, " ")
	isSize := size.Bytes != badSize && size.Inodes != badSize && size.Bytes+size.Inodes > 0
	if !isPath || !isSize {
		return false
	}
	size.Path = path.Clean(size.Path)
	if s.rows++; s.rows <= maxSizes && s.p.text.room("sizes", l) {
		r := s.p.node()
		r.Sizes = append(r.Sizes, size)
	}
	return true
}

func (s *sizes) close(ending) {}
