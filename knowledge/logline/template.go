package logline

// Template returns the same value for lines that differ only in words with a digit: numbers, times, addresses and generated
// names. Such lines repeat one message.
func Template(line string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a, 64 bits
	hash := uint64(offset)
	before, digit := hash, false // the hash before the word, and whether the word has a digit
	for i := 0; i <= len(line); i++ {
		c := byte(' ')
		if i < len(line) {
			c = line[i]
		}
		switch {
		case inWord[c]:
			hash = (hash ^ uint64(c|0x20)) * prime
		case isDigit(c):
			digit = true
		default:
			if hash = (hash ^ ' ') * prime; digit {
				hash = before // as if the word did not exist
			}
			before, digit = hash, false
		}
	}
	return hash
}

// inWord are the bytes of words, except digits. It is a table, because every byte of a text is looked up.
var inWord = func() (set [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		set[c], set[c-0x20] = true, true
	}
	for _, c := range "_-./" {
		set[c] = true
	}
	return set
}()
