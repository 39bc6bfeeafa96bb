package accuracy

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A stamp is a time in a text. Only its core, down to seconds, is parsed and rewritten. The fraction and the zone do not
// change.
type stampForm struct {
	pattern *regexp.Regexp // its first group is the core
	layout  string
	year    bool // the core contains the year
}

const (
	months   = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`
	weekdays = `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)`
)

// stampForms are the formats of a time, the longer ones first, because a time matches only one.
var stampForms = []stampForm{
	{regexp.MustCompile(`\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)`), "2006-01-02T15:04:05", true},
	{regexp.MustCompile(`\b(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)`), "2006-01-02 15:04:05", true},
	{regexp.MustCompile(`\b(\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)`), "2006/01/02 15:04:05", true},
	{regexp.MustCompile(`\b(` + weekdays + `, \d\d ` + months + ` \d{4} \d\d:\d\d:\d\d)`), "Mon, 02 Jan 2006 15:04:05", true},
	{regexp.MustCompile(`\b(` + weekdays + ` ` + months + ` [ \d]\d \d\d:\d\d:\d\d UTC \d{4})`), "Mon Jan _2 15:04:05 UTC 2006", true},
	{regexp.MustCompile(`\b(` + weekdays + ` ` + months + ` [ \d]\d \d\d:\d\d:\d\d \d{4})`), "Mon Jan _2 15:04:05 2006", true},
	{regexp.MustCompile(`\b(` + months + ` [ \d]\d \d\d:\d\d:\d\d \d{4})`), "Jan _2 15:04:05 2006", true}, // openssl
	{regexp.MustCompile(`\b(\d\d/` + months + `/\d{4}:\d\d:\d\d:\d\d)`), "02/Jan/2006:15:04:05", true},
	{regexp.MustCompile(`\b(` + months + ` [ \d]?\d \d\d:\d\d:\d\d)`), "Jan _2 15:04:05", false},
	{regexp.MustCompile(`\b[IWEF](\d{4} \d\d:\d\d:\d\d)\.\d`), "0102 15:04:05", false},
}

var (
	epoch  = regexp.MustCompile(`"(?:ts|time|timestamp)": ?(\d{10})(\d{3})?\b`)
	uptime = regexp.MustCompile(`^(?:<\d+>)?\[ *(\d+)\.(\d{6})\]`)
)

// yearless is the year of times without a year. It is a leap year, so that every date exists in it.
const yearless = 2024

// stamp is the position of a time in a line.
type stamp struct {
	from, to int
	at       time.Time
	form     *stampForm
}

// stamps returns the times with a date in a line, in order.
func stamps(line string) []stamp {
	var out []stamp
	free := func(from, to int) bool {
		for _, s := range out {
			if from < s.to && s.from < to {
				return false
			}
		}
		return true
	}
	for i := range stampForms {
		f := &stampForms[i]
		for _, m := range f.pattern.FindAllStringSubmatchIndex(line, -1) {
			if !free(m[2], m[3]) {
				continue
			}
			t, err := time.Parse(f.layout, line[m[2]:m[3]])
			if err != nil {
				continue
			}
			if !f.year {
				t = time.Date(yearless, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
			}
			out = append(out, stamp{m[2], m[3], t, f})
		}
	}
	for i := range out {
		for j := i; j > 0 && out[j].from < out[j-1].from; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

// layout returns the layout of the form, with the day padded as in the text.
func (s stamp) layout(line string) string {
	if i := strings.Index(s.form.layout, "_2"); i >= 0 && line[s.from+i] == '0' {
		return strings.Replace(s.form.layout, "_2", "02", 1)
	}
	return s.form.layout
}

// shift moves every time of a line by d, which is whole seconds.
func shift(line string, d time.Duration) string {
	var b strings.Builder
	at := 0
	for _, s := range stamps(line) {
		b.WriteString(line[at:s.from])
		b.WriteString(s.at.Add(d).Format(s.layout(line)))
		at = s.to
	}
	b.WriteString(line[at:])
	line = epoch.ReplaceAllStringFunc(b.String(), func(hit string) string {
		m := epoch.FindStringSubmatchIndex(hit)
		seconds, _ := strconv.ParseInt(hit[m[2]:m[3]], 10, 64)
		return hit[:m[2]] + strconv.FormatInt(seconds+int64(d/time.Second), 10) + hit[m[3]:]
	})
	if m := uptime.FindStringSubmatchIndex(line); m != nil {
		seconds, _ := strconv.ParseInt(line[m[2]:m[3]], 10, 64)
		line = line[:m[2]] + strconv.FormatInt(seconds+int64(d/time.Second), 10) + line[m[3]:]
	}
	return line
}

// shiftText moves every time of a text by d.
func shiftText(text string, d time.Duration) string {
	all := strings.SplitAfter(text, "\n")
	for i, l := range all {
		all[i] = shift(l, d)
	}
	return strings.Join(all, "")
}

// headTime returns the time in the head of a log line, not one in its message. A head without a year gets the year yearless.
func headTime(line string) (time.Time, bool) {
	t, _, ok := head(line)
	return t, ok
}

// head returns headTime, and whether the head contains the year.
func head(line string) (at time.Time, year, ok bool) {
	if all := stamps(line); len(all) > 0 && all[0].from <= maxHead {
		return all[0].at, all[0].form.year, true
	}
	if m := epoch.FindStringSubmatch(line); m != nil {
		seconds, err := strconv.ParseInt(m[1], 10, 64)
		return time.Unix(seconds, 0).UTC(), true, err == nil
	}
	return time.Time{}, false, false
}

// sinceBoot returns the time of a kernel line with the uptime, as a time of 1970.
func sinceBoot(line string) (time.Time, bool) {
	m := uptime.FindStringSubmatch(line)
	if m == nil {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseInt(m[1], 10, 64)
	return time.Unix(seconds, 0).UTC(), err == nil
}

// inYear returns the time in another year.
func inYear(t time.Time, year int) time.Time { return t.AddDate(year-t.Year(), 0, 0) }

// maxHead is the maximum position of the time in a head, which may follow a container's name, also of docker compose and stern.
const maxHead = 70
