package accuracy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// agePattern is an age as kubectl writes it: 45s, 3m12s, 2h, 5d3h, 2y14d.
const agePattern = `(?:\d+[yhdms])+`

var (
	agePart  = regexp.MustCompile(`(\d+)([yhdms])`)
	ageUnits = map[string]time.Duration{"y": 365 * 24 * time.Hour, "d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second}
)

func parseAge(s string) time.Duration {
	var d time.Duration
	for _, m := range agePart.FindAllStringSubmatch(s, -1) {
		n, _ := strconv.Atoi(m[1])
		d += time.Duration(n) * ageUnits[m[2]]
	}
	return d
}

// formatAge formats an age like kubectl: two units while both are significant.
func formatAge(d time.Duration) string {
	switch day := 24 * time.Hour; {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < 10*time.Minute && d%time.Minute >= time.Second:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 3*time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 8*time.Hour && d%time.Hour >= time.Minute:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 8*day && d%day >= time.Hour:
		return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
	case d < 2*365*day:
		return fmt.Sprintf("%dd", d/day)
	}
	return fmt.Sprintf("%dy%dd", d/(365*24*time.Hour), d%(365*24*time.Hour)/(24*time.Hour))
}

// older adds d to an age, and keeps the width of its cell if possible.
func older(cell string, d time.Duration) string {
	aged := formatAge(parseAge(cell) + d)
	if pad := len(cell) - len(aged); pad > 0 {
		aged += strings.Repeat(" ", pad)
	}
	return aged
}
