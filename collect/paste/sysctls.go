package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var sysctlLine = lazyregexp.New(`^((?:net|kernel|vm|fs|user|dev|debug)\.[\w./:-]{1,150}) ?= ?(-?\d[\d\t ]*|[\w./ -]{0,200})$`)

// startSysctl reads "net.ipv4.ip_forward = 0". After another command, the line may be from a file that was not loaded.
func startSysctl(p *page, l line) reader {
	if !strings.Contains(l.text, "=") || p.cmd != nil && p.cmd.tool() != "sysctl" {
		return nil
	}
	m := sysctlLine.FindStringSubmatch(strings.TrimSpace(l.text))
	if m == nil || p.cmd == nil && !strings.Contains(l.text, " = ") { // sysctl prints spaces, most files have none
		return nil
	}
	p.setSysctl(m[1], m[2], l)
	return done
}

func (p *page) setSysctl(key, value string, l line) {
	if !p.text.room("kernel settings", l) {
		return
	}
	r := p.node()
	if r.Sysctls == nil {
		r.Sysctls = map[string]string{}
	}
	name, have := strings.ReplaceAll(key, "/", "."), strings.Join(strings.Fields(value), " ")
	r.Sysctls[name] = have
	if want, needed := components.NodeSettings()[name]; needed {
		r.Needs = slices.DeleteFunc(r.Needs, func(n nodereport.Need) bool { return n.Name == name }) // a later value replaces it
		r.Needs = append(r.Needs, needOf(name, want, have, l))
	}
}

// needOf judges the value of a setting that every node needs.
func needOf(name, want, have string, l line) nodereport.Need {
	n := nodereport.Need{Kind: "sysctl", Name: name, By: components.PodNetwork, Want: want, Have: have, State: "ok", Ref: quote(l)}
	if have != want {
		n.State = "wrong"
	}
	return n
}

// outputSysctl reads sysctl -n KEY.
func outputSysctl(p *page, c *command) reader {
	if len(c.words) != 3 || c.words[1] != "-n" || c.filtered() {
		return nil
	}
	return oneValue(func(value string, l line) { p.setSysctl(c.words[2], value, l) })
}

// outputCat reads files with values that have no recognizable format.
func outputCat(p *page, c *command) reader {
	if len(c.words) != 2 || c.filtered() {
		return nil
	}
	file := c.words[1]
	if key, ok := strings.CutPrefix(file, "/proc/sys/"); ok {
		return oneValue(func(value string, l line) { p.setSysctl(key, value, l) })
	}
	switch file {
	case "/proc/mounts", "/etc/mtab", "/proc/self/mounts":
		return outputMounts(p)
	}
	return outputNetwork(p, c)
}

// oneValue reads output of one line: a number, or several.
func oneValue(set func(value string, l line)) reader {
	read := false
	return each(func(l line) bool {
		value := strings.TrimSpace(l.text)
		if read || value == "" || strings.Trim(value, "0123456789\t -") != "" {
			return false
		}
		read = true
		set(value, l)
		return true
	})
}

var limitLine = lazyregexp.New(`^([a-z][a-z -]{2,40}?)\s+\((?:[a-z0-9 -]+, )?-[a-zA-Z]\)\s+(\S+)$`)

// startLimit reads a line of ulimit -a: "open files    (-n) 1024".
func startLimit(p *page, l line) reader {
	if !strings.Contains(l.text, "-") {
		return nil
	}
	m := limitLine.FindStringSubmatch(strings.TrimSpace(l.text))
	if m == nil {
		return nil
	}
	p.setLimit(m[1], m[2], l)
	return done
}

func (p *page) setLimit(name, value string, l line) {
	if !p.text.room("limits", l) {
		return
	}
	r := p.node()
	if r.Limits == nil {
		r.Limits = map[string]string{}
	}
	r.Limits[name] = value
}

// ulimitNames maps flags to their names in ulimit -a.
var ulimitNames = map[string]string{
	"-n": "open files", "-u": "max user processes", "-l": "max locked memory", "-c": "core file size",
	"-f": "file size", "-s": "stack size", "-v": "virtual memory",
}

// outputUlimit reads ulimit -n.
func outputUlimit(p *page, c *command) reader {
	flag := c.words[len(c.words)-1]
	name := ulimitNames[strings.NewReplacer("S", "", "H", "").Replace(flag)]
	if len(c.words) != 2 || name == "" || strings.Contains(flag, "H") {
		return nil
	}
	read := false
	return each(func(l line) bool {
		value := strings.TrimSpace(l.text)
		if read || value != "unlimited" && (value == "" || strings.Trim(value, "0123456789") != "") {
			return false
		}
		read = true
		p.setLimit(name, value, l)
		return true
	})
}

// memory returns the memory of the report, and adds it if needed.
func memory(r *nodereport.Report) *nodereport.Memory {
	if r.Memory == nil {
		r.Memory = &nodereport.Memory{}
	}
	return r.Memory
}
