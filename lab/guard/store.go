package guard

// store is the target of a reflector: each change separately, and each list as a whole.
type store struct {
	one    func(o any, gone bool)
	all    func([]any)
	listed func()
}

func (s store) Add(o any) error    { s.one(o, false); return nil }
func (s store) Update(o any) error { s.one(o, false); return nil }
func (s store) Delete(o any) error { s.one(o, true); return nil }
func (s store) Resync() error      { return nil }

func (s store) Replace(list []any, _ string) error {
	s.all(list)
	s.listed()
	return nil
}
