package signatures

import (
	"bytes"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Limits of the cache. Long lines rarely repeat.
const (
	mostRecent    = 1024 // lines; then the cache is cleared
	longestRecent = 1 << 10
	stampArea     = 96 // bytes at the start of a line that may contain its time
)

// remember stores a value. It clears the cache when it is full.
func remember[V any](m map[string]V, key []byte, v V) {
	if len(m) >= mostRecent {
		clear(m)
	}
	m[string(key)] = v
}

// maskTimes returns the line with zeros for the digits of the times at its start: 00:30:01 and the fraction.
func maskTimes(out []byte, line string) []byte {
	out = append(out, line...)
	area := out[:min(len(out), stampArea)]
	for i := 0; i+8 <= len(area); i++ {
		colon := bytes.IndexByte(area[i+2:], ':')
		if colon < 0 {
			return out
		}
		i += colon
		if !isTime(area[i:]) {
			continue
		}
		copy(out[i:], "00:00:00")
		i += 8
		if i < len(out) && (out[i] == '.' || out[i] == ',') {
			for i++; i < len(out) && isDigit(out[i]); i++ {
				out[i] = '0'
			}
		}
	}
	return out
}

// span is a part of a line.
type span struct{ from, to int }

// mask overwrites the part with a neutral letter.
func (s span) mask(line []byte) {
	for i := s.from; i < s.to; i++ {
		line[i] = 'x'
	}
}

// withoutHost returns the line with the name of its machine masked, without changing its length.
func withoutHost(line string) string {
	from, to := logline.HostIn(line)
	if from == to {
		return line
	}
	masked := []byte(line)
	span{from, to}.mask(masked)
	return string(masked)
}

// isTime reports whether a text starts with a time of day.
func isTime[T string | []byte](text T) bool {
	if len(text) < 8 || text[2] != ':' || text[5] != ':' {
		return false
	}
	return areDigits(text[0], text[1]) && areDigits(text[3], text[4]) && areDigits(text[6], text[7])
}

func areDigits(a, b byte) bool { return isDigit(a) && isDigit(b) }

func isDigit(b byte) bool { return b-'0' <= 9 }
