package paste

// Size estimates how many bytes the recognized data takes.
func (t *Text) Size() int {
	n := 4 * t.kept
	for _, rows := range t.rows {
		n += 1000 * rows
	}
	return n + 1000*len(t.reports)
}
