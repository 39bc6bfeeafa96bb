package nodereport

import (
	"strings"
	"testing"
	"time"
)

// Only valid archive names are accepted because they become part of a path.
func TestSavedAt(t *testing.T) {
	at := time.Date(2026, 11, 27, 17, 30, 0, 0, time.UTC)
	if got, ok := SavedAt("saved-20261127T173000Z.tar.gz"); !ok || !got.Equal(at) {
		t.Errorf("%s, %v", got, ok)
	}
	if got := SavedName(at.In(time.FixedZone("", 3600)).Add(999 * time.Millisecond)); got != "saved-20261127T173000Z.tar.gz" {
		t.Error(got)
	}
	for _, name := range strings.Split(`
saved-20261127T173000Z.tar.gz/
../saved-20261127T173000Z.tar.gz
../../etc/x
/etc/shadow
saved-../../../etc/x.tar.gz
saved-20261127T173000Z.tar.gz?query=kubelet
saved-20261127T173000Z%2e.tar.gz
saved-20261127T173000.5Z.tar.gz
saved-20261127T173000,5Z.tar.gz
saved-20261327T173000Z.tar.gz
saved-20261127T246000Z.tar.gz
saved-20261127T173000z.tar.gz
SAVED-20261127T173000Z.tar.gz
saved-20261127T173000Z.tar.gz.exe
saved-20261127T173000Z.tar
saved-2026112T173000Z.tar.gz
saved-+0261127T173000Z.tar.gz
 saved-20261127T173000Z.tar.gz
saved-20261127T173000Z.tar.gz 
saved-٢٠٢٦١١٢٧T173000Z.tar.gz
report.json`, "\n") {
		if _, ok := SavedAt(name); ok {
			t.Errorf("%q is taken for the name of an archive", name)
		}
	}
	for _, end := range []string{"\n", "\x00", "\x1b[2J", "\r\n"} {
		if _, ok := SavedAt(SavedName(at) + end); ok {
			t.Errorf("the name of an archive with %q behind it is taken for one", end)
		}
	}
}

// An accepted name contains only digits and the fixed words, and matches its time.
func FuzzSavedAt(f *testing.F) {
	for _, seed := range []string{"saved-20261127T173000Z.tar.gz", "saved-20261127T173000.000Z.tar.gz", "../../etc/x", "saved-00000101T000000Z.tar.gz", "\x1b[2Jsaved-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		at, ok := SavedAt(name)
		if !ok {
			return
		}
		if digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, name); digits != "saved-00000000T000000Z.tar.gz" || SavedName(at) != name {
			t.Errorf("%q is taken for the name of an archive", name)
		}
	})
}
