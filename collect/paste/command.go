package paste

import (
	"time"

	"path"
	"strings"
)

// command is one command line without its wrappers.
type command struct {
	raw     string     // as typed
	words   []string   // of the first stage of a pipe, without sudo and the like
	filters [][]string // the next stages
	sure    bool       // it follows a prompt, so the next lines are its complete output
	where   host       // where it ran, if the command shows that (ssh, exec); zero: the host of the prompt
	shell   bool       // it opens a shell there
	leaves  bool       // it exits a shell

	limit time.Duration // set by timeout; 0: none
	// outside: it runs in the root or the namespaces of the machine, even if the prompt is inside a container.
	outside bool
}

// tool returns the name of the program.
func (c *command) tool() string {
	if len(c.words) == 0 {
		return ""
	}
	return toolName(c.words[0])
}

func toolName(word string) string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
	switch name {
	case "k", "oc", "kc", "kubecolor", "kubectl.sh":
		return "kubectl"
	}
	return name
}

// host returns where the output comes from, given the host of the prompt.
func (c *command) host(at host) host {
	if c.where != (host{}) {
		at = c.where
	}
	if c.outside && at.inside != "" {
		return host{entered: true}
	}
	return at
}

// filtered reports whether the output is only partial.
func (c *command) filtered() bool { return len(c.filters) > 0 }

// searched returns the plain words of "| grep WORD", or nothing for other patterns. Alternatives (-e a -e b, "a|b", "a\|b") count
// as several words.
func (c *command) searched() []string {
	if len(c.filters) == 0 {
		return nil
	}
	f := c.filters[len(c.filters)-1]
	switch toolName(f[0]) {
	case "grep", "egrep", "fgrep", "rg", "findstr":
	default:
		return nil
	}
	var words []string
	for i := 1; i < len(f); i++ {
		w := f[i]
		if strings.HasPrefix(w, "-") {
			if strings.Contains(w, "v") && !strings.HasPrefix(w, "--") {
				return nil // lines without the word
			}
			continue
		}
		for _, alt := range strings.Split(strings.ReplaceAll(w, `\|`, "|"), "|") {
			alt = strings.Trim(alt, "^$ ()")
			if alt == "" || strings.ContainsAny(alt, `.*[]\?+`) {
				return nil
			}
			words = append(words, alt)
		}
	}
	return words
}

// parseCommand parses a command line; nil if there is none.
func parseCommand(s string) *command {
	stages := splitStages(s)
	if len(stages) == 0 {
		return nil
	}
	c := &command{raw: s, words: stages[0], filters: stages[1:], sure: true}
	for range 6 { // nested wrappers
		if !c.unwrap() {
			break
		}
	}
	if len(c.words) == 0 && !c.shell {
		return nil
	}
	switch c.tool() {
	case "exit", "logout":
		c.leaves = true
	}
	return c
}

// maxWords bounds the words of a command.
const maxWords = 200

// splitStages splits at pipes and removes quotes. Of several commands in one line, it uses the first one, after any cd or export.
func splitStages(s string) [][]string {
	var p stages
	var quote rune
	escaped := false
	for _, c := range s {
		switch {
		case escaped:
			escaped = false
			p.add('\\')
			p.add(c)
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			p.add(c)
		case c == '\'', c == '"':
			quote, p.inWord = c, true
		case c == '\\':
			escaped = true
		case c == ' ', c == '\t':
			p.endWord()
		case c == '|':
			p.endStage()
		case c == ';', c == '&':
			if p.endWord(); !p.onlyPrepares() {
				p.endStage()
				return p.list
			}
			p.words = nil
		default:
			p.add(c)
		}
		if len(p.words) > maxWords {
			break
		}
	}
	p.endStage()
	return p.list
}

// stages collects the words of the stages of a pipe.
type stages struct {
	list   [][]string
	words  []string // of the current stage
	word   strings.Builder
	inWord bool // a word began; it may be empty, in quotes
}

func (p *stages) add(c rune) {
	p.word.WriteRune(c)
	p.inWord = true
}

func (p *stages) endWord() {
	if p.inWord {
		p.words = append(p.words, p.word.String())
		p.word.Reset()
		p.inWord = false
	}
}

func (p *stages) endStage() {
	if p.endWord(); len(p.words) > 0 {
		p.list = append(p.list, p.words)
	}
	p.words = nil
}

// onlyPrepares reports whether the command so far only sets the folder or environment of the next one.
func (p *stages) onlyPrepares() bool {
	if len(p.list) > 0 {
		return false
	}
	return len(p.words) == 0 || p.words[0] == "cd" || p.words[0] == "export"
}
