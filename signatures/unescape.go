package signatures

import "strings"

// unescape makes the quotes of nested messages readable: \" and \\\" become ".
func unescape(line string) string {
	if strings.IndexByte(line, '\\') < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	for i := 0; i < len(line); {
		if line[i] != '\\' {
			b.WriteByte(line[i])
			i++
			continue
		}
		j := i
		for j < len(line) && line[j] == '\\' {
			j++
		}
		if j < len(line) && line[j] == '"' {
			i = j
			continue
		}
		b.WriteString(line[i:j])
		i = j
	}
	return b.String()
}
