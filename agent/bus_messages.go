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

// maxBusMessage is the largest message, in bytes, that is taken from systemd; its own limit is 128 MiB.
const maxBusMessage = 4 << 20

// busHead is the part of a message whose length is fixed (D-Bus specification, "Message Format").
const busHead = 16

// wholeMessages reads messages of D-Bus whole: the library panics, in a goroutine of its own, where a connection ends between
// the header of a message and its body (godbus v5.2.2, decoder.align).
type wholeMessages struct {
	net.Conn
	begun bool   // what comes are messages; before, it is lines of the greeting
	rest  []byte // of a message that was read and is known to be well formed
}

// Write notes when the greeting ends: with BEGIN, before which the library reads no message.
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

// readMessage reads one message and reports an error where it does not end with its own last byte.
func readMessage(in io.Reader) ([]byte, error) {
	head := make([]byte, busHead)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if head[0] == 'B' {
		order = binary.BigEndian
	}
	fields := (uint64(order.Uint32(head[12:])) + 7) &^ 7 // the header ends at a multiple of eight bytes
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
