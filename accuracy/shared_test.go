package accuracy

import (
	"sync"
	"testing"
	"time"
)

// shared is the world of the tests of this package, which judges each unchanged case once.
var shared = sync.OnceValues(func() (*World, error) { return NewWorld("../cases") })

func sharedWorld(t *testing.T) *World {
	t.Helper()
	w, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// ofToday reports whether a play is one of today: of several parts of all plays, another one each day (in UTC).
func ofToday(parts int, play ...string) bool {
	return (chance(FigureSeed, play...).IntN(parts)+time.Now().UTC().YearDay())%parts == 0
}
