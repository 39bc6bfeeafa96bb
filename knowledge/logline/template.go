package logline

// Template is the same for lines that differ only in words with a digit in them: numbers, times, addresses and generated names.
// Such lines are repetitions of one message.
func Template(line string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a, 64 bits
	hash := uint64(offset)
	before, digit := hash, false // the hash at the start of the word, and whether that has a digit
	for i := 0; i <= len(line); i++ {
		c := byte(' ')
		if i < len(line) {
			c = line[i]
		}
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c == '.' || c == '/':
			hash = (hash ^ uint64(c|0x20)) * prime
		default:
			if hash = (hash ^ ' ') * prime; digit {
				hash = before // as if the word were not there
			}
			before, digit = hash, false
		}
	}
	return hash
}
