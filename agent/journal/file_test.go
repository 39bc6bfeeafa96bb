package journal

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	fields = []string{"MESSAGE", "_SYSTEMD_UNIT", "SYSLOG_IDENTIFIER", "UNIT"}
	ten    = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
)

func unzip(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".journal.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func entries(t *testing.T, data []byte, since time.Time, limit int) ([]Entry, int) {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out []Entry
	left, err := f.Since(since, limit, fields, func(e *Entry) bool {
		out = append(out, *e)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, left
}

func TestSince(t *testing.T) {
	for _, name := range []string{"compact-zstd", "plain-none"} {
		t.Run(name, func(t *testing.T) {
			data := unzip(t, name)
			all, left := entries(t, data, time.Time{}, 1000)
			if len(all) != 307 || left != 0 {
				t.Fatalf("%d entries, %d left out, want 307 and 0", len(all), left)
			}
			for i := 1; i < len(all); i++ {
				if all[i].Time.Before(all[i-1].Time) {
					t.Fatalf("entry %d is older than the one before", i)
				}
			}
			if got := all[0].Fields; got["SYSLOG_IDENTIFIER"] != "sshd" || got["MESSAGE"] != "Connection closed by 192.0.2.0 port 50000" || len(got) != 3 {
				t.Errorf("the first entry has %q", got)
			}

			last, _ := entries(t, data, ten.Add(-121*time.Second), 1000)
			if len(last) != 3 {
				t.Fatalf("%d entries in the last two minutes, want 3", len(last))
			}
			if m := last[0].Fields["MESSAGE"]; len(m) < 900 || !strings.HasSuffix(m, "xxx") || !strings.Contains(m, "subnet.env") {
				t.Errorf("a long message, which is packed, reads %d bytes: %.100s", len(m), m)
			}
			if got := last[1].Fields; got["UNIT"] != "kubelet.service" || got["_SYSTEMD_UNIT"] != "init.scope" {
				t.Errorf("what systemd said of the kubelet reads %q", got)
			}
			if want := ten.Add(-90 * time.Second); !last[2].Time.Equal(want) {
				t.Errorf("the last entry is of %s, want %s", last[2].Time, want)
			}

			some, left := entries(t, data, time.Time{}, 5)
			if len(some) != 5 || left != 302 || some[4].Time != last[2].Time {
				t.Errorf("the newest 5: %d entries, %d left out", len(some), left)
			}
		})
	}
}

func TestSinceStops(t *testing.T) {
	data := unzip(t, "compact-zstd")
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if _, err := f.Since(time.Time{}, 1000, fields, func(*Entry) bool { n++; return n < 3 }); err != nil || n != 3 {
		t.Errorf("it visited %d entries, want 3 (%v)", n, err)
	}
}

func TestDamaged(t *testing.T) {
	data := unzip(t, "plain-none")
	if _, err := Open(strings.NewReader("no journal"), 10); !errors.Is(err, ErrFormat) {
		t.Errorf("a text is opened: %v", err)
	}
	cut := data[:3_800_000] // the last pages were lost in a power failure
	f, err := Open(bytes.NewReader(cut), int64(len(cut)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Since(time.Time{}, 1000, fields, func(*Entry) bool { return true }); err == nil {
		t.Error("the end of the file is missing, and nothing is said")
	}
}

func TestUnpackLZ4(t *testing.T) {
	// "abcabcabcabc" then "xyz": three letters, a copy of nine from offset three, three letters.
	block := []byte{0x35, 'a', 'b', 'c', 3, 0, 0x30, 'x', 'y', 'z'}
	if got := string(unpackLZ4(block, 100)); got != "abcabcabcabcxyz" {
		t.Errorf("it reads %q", got)
	}
	if got := unpack(append([]byte{15, 0, 0, 0, 0, 0, 0, 0}, block...), objectLZ4); got != "abcabcabcabcxyz" {
		t.Errorf("with its length it reads %q", got)
	}
	if got := unpackLZ4([]byte{0x0f, 1, 0, 255, 255}, 100); len(got) != 0 {
		t.Errorf("a copy from before the beginning reads %q", got)
	}
}

// FuzzSince changes bytes of a valid file. Reading always ends and stays in bounds.
func FuzzSince(f *testing.F) {
	data := unzip(f, "compact-zstd")
	f.Add(uint32(176), []byte{0, 0, 0})
	f.Add(uint32(152), []byte{255, 255, 255, 255, 255, 255})
	f.Add(uint32(3733912), []byte{6, 0, 0, 0, 0, 0, 0, 0, 255, 255})
	f.Add(uint32(12), []byte{0x0f})
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		damaged := bytes.Clone(data)
		if len(change) > 64 || int(at) >= len(damaged) {
			return
		}
		copy(damaged[at:], change)
		file, err := Open(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			return
		}
		n := 0
		_, _ = file.Since(ten.Add(-time.Hour), 100, fields, func(e *Entry) bool {
			n++
			for _, v := range e.Fields {
				if len(v) > maxPayload {
					t.Fatal("a field beyond its bound")
				}
			}
			return true
		})
		if n > 100 {
			t.Fatalf("%d entries, beyond the bound", n)
		}
	})
}
