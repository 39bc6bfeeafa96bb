package agent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/godbus/dbus/v5"
)

// maxBusMessage is the largest accepted message of systemd in bytes; the limit of systemd is 128 MiB.
const maxBusMessage = 4 << 20

// busHead is the fixed-length part of a message (D-Bus specification, "Message Format").
const busHead = 16

// wholeMessages reads complete D-Bus messages. The library panics in a goroutine if a connection ends between the
// header and the body of a message (godbus v5.2.2, decoder.align).
type wholeMessages struct {
	net.Conn
	begun bool   // messages follow; before, the lines of the authentication
	rest  []byte // of a message that is read and well formed
}

// Write detects the end of the authentication: BEGIN. The library reads no message before it.
func (w *wholeMessages) Write(p []byte) (int, error) {
	if !w.begun {
		w.begun = bytes.HasPrefix(p, []byte("BEGIN"))
	}
	return w.Conn.Write(p)
}

func (w *wholeMessages) Read(p []byte) (int, error) {
	if !w.begun {
		return w.Conn.Read(p)
	}
	if len(w.rest) == 0 {
		message, err := readMessage(w.Conn)
		if err != nil {
			return 0, err
		}
		w.rest = message
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// readMessage reads one message. It returns an error if the message is not complete.
func readMessage(in io.Reader) ([]byte, error) {
	head := make([]byte, busHead)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if head[0] == 'B' {
		order = binary.BigEndian
	}
	fields := (uint64(order.Uint32(head[12:])) + 7) &^ 7 // the header is padded to a multiple of eight bytes
	size := busHead + fields + uint64(order.Uint32(head[4:]))
	if size > maxBusMessage {
		return nil, fmt.Errorf("read a message of the bus: it has %d bytes", size)
	}
	message := make([]byte, size)
	copy(message, head)
	if _, err := io.ReadFull(in, message[busHead:]); err != nil {
		return nil, err
	}
	return message, wellFormed(message)
}

func wellFormed(message []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("read a message of the bus: %v", v)
		}
	}()
	rest := bytes.NewReader(message)
	if _, err := dbus.DecodeMessage(rest); err != nil {
		return err
	}
	if rest.Len() > 0 {
		return errors.New("read a message of the bus: it is longer than its parts")
	}
	return nil
}
