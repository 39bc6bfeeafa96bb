package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"aead.dev/minisign"
)

// Key is a public key of minisign. It verifies the signatures of its owner.
type Key struct{ public minisign.PublicKey }

// ParseKey reads the text of a public key file, or its second line alone.
func ParseKey(text []byte) (*Key, error) {
	var k Key
	if err := k.public.UnmarshalText(bytes.TrimSpace(text)); err != nil {
		return nil, errors.New("it is not a public key of minisign")
	}
	return &k, nil
}

// ID returns the key's id, as minisign shows it.
func (k *Key) ID() string { return keyID(k.public.ID()) }

// Text returns the text of a public key file.
func (k *Key) Text() []byte {
	text, _ := k.public.MarshalText() // it never fails
	return append(text, '\n')
}

func keyID(id uint64) string { return fmt.Sprintf("%016X", id) }

// Signer is a private key of minisign.
type Signer struct{ private minisign.PrivateKey }

// ParseSigner reads the text of a private key file that has no password.
func ParseSigner(text []byte) (*Signer, error) {
	var s Signer
	if minisign.IsEncrypted(text) {
		return nil, errors.New("it has a password, and the program does not ask for one: create a key without a password with minisign -G -W")
	}
	if err := s.private.UnmarshalText(bytes.TrimSpace(text)); err != nil {
		return nil, errors.New("it is not a private key of minisign")
	}
	return &s, nil
}

// unsignedComment is the only line of a signature that minisign does not sign. It is constant here.
const unsignedComment = "signature of knowledge for nodetriage"

func (s *Signer) sign(packed []byte, m Manifest) []byte {
	reader := minisign.NewReader(bytes.NewReader(packed))
	_, _ = io.Copy(io.Discard, reader) // reads memory: does not fail
	return reader.SignWithComments(s.private, m.Name+" "+m.Version, unsignedComment)
}

// parseSignature parses a signature. It must have the exact form that sign writes.
func parseSignature(text []byte) (minisign.Signature, error) {
	var s minisign.Signature
	if err := s.UnmarshalText(text); err != nil {
		return s, errChanged
	}
	s.UntrustedComment = unsignedComment
	again, err := s.MarshalText()
	if err != nil || !bytes.Equal(again, text) {
		return s, errChanged
	}
	return s, nil
}

// checks returns an error if the signature of packed is not from the key.
func (k *Key) checks(packed, signature []byte, by string) error {
	switch {
	case by != k.ID():
		return fmt.Errorf("key %s signed it, and not key %s", by, k.ID())
	case !minisign.Verify(k.public, packed, signature):
		return fmt.Errorf("it was changed after key %s signed it", by)
	}
	return nil
}
