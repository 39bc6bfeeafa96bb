package paste

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

func itoa(n int) string { return strconv.Itoa(n) }

// cniDir returns which of the two CNI directories a path is; empty for others.
func cniDir(p string) string {
	p = strings.TrimSuffix(path.Clean(strings.Trim(p, `'"‘’:*`)), "/")
	switch {
	case strings.HasSuffix(p, "/cni/net.d"), p == "/var/snap/microk8s/current/args/cni-network":
		return "config"
	case strings.HasSuffix(p, "/cni/bin"), p == "/usr/libexec/cni", p == "/usr/lib/cni":
		return "bin"
	}
	return ""
}

// listing reads ls of the CNI directories. For several directories, each name is printed above its list.
type listing struct {
	p     *page
	dirs  []string // requested directories
	dir   string   // the current directory; empty: none of several yet
	found []string
	empty []string // files of 0 bytes
	named bool     // the next list is of another directory, after its name
	read  bool     // there is output, possibly an empty list
	odd   bool     // the output continues in an unknown format
	at    line
}

var longEntry = lazyregexp.New(`^([-dlbcps])[rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(\d+(?:[.,]\d+)?[KMGTP]?)\s+\S+\s+\S+\s+\S+\s+(.+?)(?: -> .*)?$`)

// longRow matches the start of any ls -l entry.
var longRow = lazyregexp.New(`^[-dlbcps][rwxsStT-]{9}`)

// outputLS starts after a command that lists one of the directories.
func outputLS(p *page, c *command) reader {
	s := &listing{p: p, at: line{no: p.no, text: c.raw}}
	for _, w := range c.words[1:] {
		if strings.HasPrefix(w, "-") {
			continue
		}
		if cniDir(w) == "" {
			return nil
		}
		s.dirs = append(s.dirs, strings.TrimRight(w, "/*"))
	}
	if len(s.dirs) == 0 || c.filtered() || !c.sure {
		return nil
	}
	if s.named = len(s.dirs) > 1; !s.named {
		s.dir = s.dirs[0]
	}
	return s
}

func (s *listing) take(l line) bool {
	text := strings.TrimSpace(l.text)
	if dir, named := strings.CutSuffix(text, ":"); named && slices.Contains(s.dirs, strings.TrimRight(dir, "/")) {
		s.next(strings.TrimRight(dir, "/"), l)
		return true
	}
	switch {
	case text == "":
		s.named = len(s.dirs) > 1
		return s.named || len(s.found) == 0
	case s.named:
		return false
	case strings.HasPrefix(text, "total ") && len(strings.Fields(text)) == 2:
		s.read = true
		return true
	}
	if m := longEntry.FindStringSubmatch(text); m != nil {
		s.add(m[3])
		if m[1] == "-" && m[2] == "0" && len(s.empty) < 100 {
			s.empty = append(s.empty, path.Base(m[3]))
		}
		return true
	}
	names := splitGaps(text) // ls separates columns with two spaces, unlike words of a sentence
	if !slices.ContainsFunc(names, isUnusual) {
		s.addAll(names)
		return true
	}
	s.odd = len(s.found) == 0 && longRow.MatchString(text)
	return false
}

// isUnusual reports whether a text is hardly the name of a file with a CNI configuration or plugin.
func isUnusual(name string) bool {
	return strings.ContainsAny(name, ` :'"|<>()=,;`) || len(name) > 100
}

func (s *listing) addAll(names []string) {
	for _, n := range names {
		s.add(n)
	}
}

func (s *listing) add(name string) {
	s.read = true
	name = path.Base(name) // ls with a pattern prints paths
	if name != "." && name != ".." && len(s.found) < 1000 {
		s.found = append(s.found, name)
	}
}

// next starts the list of the directory on that line.
func (s *listing) next(dir string, l line) {
	if s.dir != "" && s.dir != dir {
		setCNI(s.p, s.dir, s.found, s.empty, s.at)
		s.found, s.empty = nil, nil
	}
	s.dir, s.at, s.read, s.named = dir, l, true, false
}

func (s *listing) close(how ending) {
	if s.dir != "" && !s.odd && (s.read || how != otherText) {
		setCNI(s.p, s.dir, s.found, s.empty, s.at)
	}
}

// setCNI records the content of a CNI directory; an empty list is not nil.
func setCNI(p *page, dir string, names, hollow []string, l line) {
	if !p.text.room("listings", l) {
		return
	}
	c := p.cni(l)
	names = append([]string{}, names...)
	slices.Sort(names)
	if cniDir(dir) == "config" {
		c.ConfigDir, c.Configs = dir, names
	} else {
		c.BinDir, c.Binaries, c.Hollow, c.BinRef = dir, names, hollow, quote(l)
	}
	matchPlugins(c)
}

var noSuchDir = lazyregexp.New(`^ls: (?:cannot access |cannot open directory )?['"‘]?(/[^'"’:\s]+)['"’]?: No such file or directory`)

// startMissingDir reads the error of ls about a missing CNI directory.
func startMissingDir(p *page, l line) reader {
	m := noSuchDir.FindStringSubmatch(strings.TrimSpace(l.text))
	if m == nil || cniDir(m[1]) == "" {
		return nil
	}
	setCNI(p, m[1], nil, nil, l)
	return done
}
