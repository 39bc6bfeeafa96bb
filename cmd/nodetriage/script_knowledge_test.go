package main

import (
	"crypto/rand"
	"os"
	"strconv"

	"aead.dev/minisign"
	"github.com/rogpeppe/go-internal/testscript"
)

// keyPair writes what minisign -G -W does: keypair NAME makes NAME.key and NAME.pub.
func keyPair(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: keypair NAME")
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	ts.Check(err)
	shown, err := public.MarshalText()
	ts.Check(err)
	secret, err := private.MarshalText()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".pub"), shown, 0o644))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".key"), secret, 0o600))
}

// changeByte changes one byte of a file: changebyte FILE AT.
func changeByte(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: changebyte FILE AT")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	at, err := strconv.Atoi(args[1])
	ts.Check(err)
	data[at] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}
