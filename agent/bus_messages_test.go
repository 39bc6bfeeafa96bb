package agent

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// cutting closes the connection after a number of bytes after the authentication.
type cutting struct {
	net.Conn
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("OK ")) || bytes.HasPrefix(p, []byte("REJECTED")) || bytes.HasPrefix(p, []byte("ERROR")) {
		return c.Conn.Write(p)
	}
	n, err := c.Conn.Write(p[:min(len(p), c.left)])
	if c.left -= n; c.left == 0 {
		c.Conn.Close()
		return n, io.ErrClosedPipe
	}
	return n, err
}

// If systemd closes the connection within a message, units are missing but the program does not crash.
func TestUnitsCutWithinAMessage(t *testing.T) {
	replies := &bytes.Buffer{} // the answers to the ping and to the unit lookup
	for serial, body := range []any{nil, dbus.ObjectPath("/unit/kubelet_2eservice")} {
		answer := &dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(uint32(serial + 1))}}
		if body != nil {
			answer.Body = []any{body}
			answer.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(body))
		}
		if err := answer.EncodeTo(replies, nativeOrder); err != nil {
			t.Fatal(err)
		}
	}
	for cut := 1; cut <= replies.Len(); cut++ {
		h, _ := socketHost(t)
		dir := filepath.Join(h.root, "run/systemd")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("unix", filepath.Join(dir, "private"))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if c, err := l.Accept(); err == nil {
				fakeBus{}.talk(&cutting{Conn: c, left: cut})
			}
		}()
		if err := units(t.Context(), h, &nodereport.Report{}); err == nil {
			t.Errorf("cut after %d bytes: no error", cut)
		}
		time.Sleep(time.Millisecond) // a panic would come from a goroutine of the library
		l.Close()
	}
}

// The length in a message is not trusted.
func TestMessagesThatLie(t *testing.T) {
	whole := &bytes.Buffer{}
	m := &dbus.Message{
		Type: dbus.TypeMethodReply, Body: []any{"well"},
		Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(uint32(1)), dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(""))},
	}
	if err := m.EncodeTo(whole, nativeOrder); err != nil {
		t.Fatal(err)
	}
	if got, err := readMessage(bytes.NewReader(whole.Bytes())); err != nil || !bytes.Equal(got, whole.Bytes()) {
		t.Fatalf("a message as it should be: %v", err)
	}
	for i := range whole.Len() {
		for _, b := range []byte{0, 1, 7, 0x80, 0xff} {
			changed := bytes.Clone(whole.Bytes())
			changed[i] = b
			if got, err := readMessage(io.MultiReader(bytes.NewReader(changed), bytes.NewReader(make([]byte, 64)))); err == nil && wellFormed(got) != nil {
				t.Errorf("byte %d as %#x: taken, and not well formed", i, b)
			}
		}
	}
}
