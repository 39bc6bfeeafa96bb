package paste

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var unitHead = lazyregexp.New(`^(?:(?:[A-Z]\w{1,20}: )?[●○×*↻]\s+)?([\w@.\\:-]{1,200}\.(?:service|socket|mount|timer|target|scope|slice))(?: - .*)?$`)

// unitDot matches the first line of a unit's status, with its dot.
var unitDot = lazyregexp.New(`^(?:[A-Z]\w{1,20}: )?[●○×↻] [\w@.\\:-]{1,200}\.(?:service|socket|mount|timer|target|scope|slice) - `)

// unitState reads systemctl status of one unit, up to its log lines.
type unitState struct {
	p    *page
	unit *nodereport.Unit
}

// startUnit starts at "● kubelet.service - ...".
func startUnit(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	if name, ok := strings.CutSuffix(strings.TrimPrefix(text, "Unit "), " could not be found."); ok && isName(name) {
		if u := p.unit(name, l); u != nil {
			u.Load = "not-found"
		}
		return done
	}
	m := unitHead.FindStringSubmatch(text)
	if m == nil || text == m[1] && p.command().tool() != "systemctl" {
		return nil
	}
	if u := p.unit(m[1], l); u != nil {
		*u = nodereport.Unit{Name: m[1], Ref: quote(l), MemoryMax: u.MemoryMax} // the last status of a unit counts
		return &unitState{p: p, unit: u}
	}
	return nil
}

// startUnitLine reads a single "Active: ..." line, as in grep output, if the command names the unit.
func startUnitLine(p *page, l line) reader {
	key, _, ok := splitKey(l.text)
	tool := p.command().tool()
	if !ok || !isStateKey(key) || tool != "systemctl" && tool != "service" {
		return nil
	}
	names := unitArgs(p.cmd)
	if len(names) != 1 {
		return nil
	}
	if u := p.unit(names[0], l); u != nil {
		s := &unitState{p: p, unit: u}
		if s.take(l) {
			return s
		}
	}
	return nil
}

// isStateKey reports whether the key starts one of the lines of a unit's state.
func isStateKey(key string) bool { return key == "Active" || key == "Loaded" }

// statusVerbs are the commands of systemctl that show units.
var statusVerbs = []string{"status", "is-active", "is-enabled", "show"}

// unitArgs returns the units in a systemctl command.
func unitArgs(c *command) []string {
	var out []string
	for i, w := range c.words {
		if i > 0 && !strings.HasPrefix(w, "-") && !slices.Contains(statusVerbs, w) {
			out = append(out, w)
		}
	}
	return out
}

// unit finds or adds a unit of the node; nil if the bound is reached.
func (p *page) unit(name string, l line) *nodereport.Unit {
	if !strings.Contains(name, ".") {
		name += ".service"
	}
	r := p.node()
	for i := range r.Units {
		if r.Units[i].Name == name {
			return &r.Units[i]
		}
	}
	if !p.text.room("units", l) {
		return nil
	}
	r.Units = append(r.Units, nodereport.Unit{Name: name, Ref: quote(l)})
	return &r.Units[len(r.Units)-1]
}

func (s *unitState) take(l line) bool {
	key, value, ok := splitKey(l.text)
	if !ok || indent(l.text) == 0 && !isStateKey(key) {
		// process tree below CGroup, further drop-ins
		return strings.ContainsAny(l.text, "├└│") && indent(l.text) > 0
	}
	f, known := unitFields[key]
	if !known {
		return true
	}
	if m := f.form.FindStringSubmatch(value); m != nil {
		f.set(s, m, l)
	}
	return true
}

// unitFields are the fields of a unit's status that are read, by key.
var unitFields = map[string]struct {
	form *lazyregexp.Regexp
	set  func(s *unitState, m []string, l line)
}{
	"Loaded":   {lazyregexp.New(`^([a-z-]+)(?: \(([^)]*)\))?`), (*unitState).loaded},
	"Active":   {lazyregexp.New(`^([a-z-]+)(?: \(([a-z][^)]*)\))?(?: \(Result: ([^)]*)\))?(?: since ([^;]+))?(?:;.*)?$`), (*unitState).active},
	"Main PID": {exitedPart, func(s *unitState, m []string, _ line) { s.unit.ExitStatus = m[1] }},
	"Process":  {exitedPart, (*unitState).exited},
	"Tasks":    {lazyregexp.New(`^(\d+)(?: \(limit: (\d+)\))?`), (*unitState).tasks},
	"Memory":   {lazyregexp.New(`^[\d.]+[BKMGT] \(.{0,80}?(?:max|limit): ([\d.]+[BKMGT])\b`), (*unitState).memory},
}

var exitedPart = lazyregexp.New(`code=(?:exited|killed|dumped), (?:status|signal)=([^\s),]+)`)

func (s *unitState) loaded(m []string, _ line) {
	s.unit.Load = m[1]
	if parts := strings.Split(m[2], ";"); len(parts) > 1 {
		s.unit.Enabled = strings.TrimSpace(parts[1])
	}
}

func (s *unitState) active(m []string, l line) {
	s.unit.Active, s.unit.Sub, s.unit.Result = m[1], m[2], m[3]
	s.unit.Since = parseUnitTime(m[4])
	s.unit.Ref = quote(l)
	s.p.wallAt(m[4], m[0])
	s.p.askedAt(s.unit.Since, m[0])
}

// exited reads the status of a start command, if the main process has none.
func (s *unitState) exited(m []string, l line) {
	if strings.Contains(l.text, "ExecStart=") && s.unit.ExitStatus == "" {
		s.unit.ExitStatus = m[1]
	}
}

func (s *unitState) tasks(m []string, _ line) {
	s.unit.Tasks, _ = strconv.Atoi(m[1])
	s.unit.TasksMax, _ = strconv.Atoi(m[2])
}

func (s *unitState) memory(m []string, _ line) {
	if n := parseSize(m[1], 1); n != badSize {
		s.unit.MemoryMax = n
	}
}

func (s *unitState) close(ending) {}

// parseUnitTime parses "Sun 2020-04-05 05:33:40 UTC". Abbreviations of other zones are ambiguous, so those times are unknown.
func parseUnitTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{"Mon 2006-01-02 15:04:05 UTC", "Mon 2006-01-02 15:04:05 GMT", "Mon 2006-01-02 15:04:05 -07"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

var (
	agoPart = lazyregexp.New(`; (.{2,40}) ago$`)
	agoUnit = lazyregexp.New(`(\d{1,6}) ?(min|month|s|h|day|week|year)s?`)
	// Months and years have systemd's lengths (src/basic/time-util.h, v255).
	agoIs = map[string]time.Duration{
		"s": time.Second, "min": time.Minute, "h": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour,
		"month": 2629800 * time.Second, "year": 31557600 * time.Second,
	}
)

// parseAgo parses "1h 20min ago", rounded down. systemd prints at most two units, so an age in weeks gives no hour.
func parseAgo(value string) (ago time.Duration, exact bool) {
	m := agoPart.FindStringSubmatch(value)
	if m == nil || agoUnit.ReplaceAllString(strings.ReplaceAll(m[1], " ", ""), "") != "" {
		return 0, false
	}
	least := agoIs["week"]
	for _, part := range agoUnit.FindAllStringSubmatch(m[1], -1) {
		n, err := strconv.Atoi(part[1])
		if err != nil {
			return 0, false
		}
		ago += time.Duration(n) * agoIs[part[2]]
		least = min(least, agoIs[part[2]])
	}
	return ago, least <= time.Hour
}

// activeSince matches systemctl status of a running unit.
var activeSince = lazyregexp.New(`^\s*Active: active \(running\) since \w{3} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[^;]{0,10}(; .{2,40} ago)$`)

// AskedAt returns when systemctl printed the status of a running unit, in the format of a log line of the unit. Until then, the
// unit logged nothing more, whether it works or hangs. It returns "" if the time is not exact to the hour.
func AskedAt(line string) string {
	m := activeSince.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	since, err := time.Parse(time.DateTime, m[1])
	ago, exact := parseAgo(m[2])
	if err != nil || !exact {
		return ""
	}
	return since.Add(ago).Format(time.Stamp) + " localhost systemctl: asked"
}

// askedAt dates the report by the age of a unit's state, if no clock was shown. Of several units, the latest time counts. An age
// in days gives only a lower bound for the time.
func (p *page) askedAt(since time.Time, value string) {
	ago, exact := parseAgo(value)
	r := p.node()
	if since.IsZero() || ago == 0 || r.Clock != nil && !r.Clock.Shown.IsZero() {
		return
	}
	at := since.Add(ago)
	if at.After(p.text.earliest) {
		p.text.earliest = at
	}
	if exact && at.After(r.TakenAt) {
		r.TakenAt = at
	}
}

// unitWall matches the local time of a unit on its machine.
var unitWall = lazyregexp.New(`^\s*[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) ([A-Z]{2,5}|[+-]\d{2,4})\s*$`)

// wallAt records the local time at which systemctl ran.
func (p *page) wallAt(since, value string) {
	m := unitWall.FindStringSubmatch(since)
	if m == nil || len(p.text.walls) >= maxWalls {
		return
	}
	at, err := time.Parse(time.DateTime, m[1])
	if ago, exact := parseAgo(value); err == nil && exact {
		p.text.walls = append(p.text.walls, Wall{at.Add(ago), m[2]})
	}
}

// outputSystemctl reads the properties of show, and the output of is-active and is-enabled: one word per unit, in order.
func outputSystemctl(p *page, c *command) reader {
	verb := ""
	if len(c.words) > 1 {
		verb = c.words[1]
	}
	if verb == "show" {
		return outputProperties(p, c)
	}
	names := unitArgs(c)
	if verb != "is-active" && verb != "is-enabled" || c.filtered() {
		return nil
	}
	i := 0
	return each(func(l line) bool {
		word := strings.TrimSpace(l.text)
		if i >= len(names) || word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") != "" {
			return false
		}
		if u := p.unit(names[i], l); u != nil {
			if verb == "is-active" {
				u.Active = word
			} else {
				u.Enabled = word
			}
		}
		i++
		return true
	})
}

// unitRow reads the table of systemctl list-units and --failed. A dot marks failed units.
func unitRow(t *table, c cells, l line) bool {
	f := strings.Fields(strings.TrimLeft(l.text, " ●*×○↻"))
	if len(f) < 4 || !unitHead.MatchString(f[0]) {
		return false
	}
	switch f[1] {
	case "loaded", "not-found", "masked", "error", "bad-setting":
	default:
		return false
	}
	if u := t.p.unit(f[0], l); u != nil {
		u.Load, u.Active, u.Sub = f[1], f[2], f[3]
	}
	return true
}
