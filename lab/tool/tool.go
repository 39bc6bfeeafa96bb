// Package tool is what all commands of the lab begin with: a context that Ctrl-C ends, errors on stderr, the program to
// judge, and where what was found goes.
package tool

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
)

// Main runs a command with the arguments of the process until it is done or interrupted, and exits with 1 after an error,
// which it prints under the name of the command. Asked for help is no error.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp): // it was printed
	case err != nil:
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// Program is the absolute path of the program to judge, which a flag names by a path or as a command.
func Program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("find nodetriage (name it with -nodetriage): %w", err)
	}
	return filepath.Abs(path)
}

// Write writes a page to a file; without one, to standard output.
func Write(file, page string) error {
	if file == "" {
		_, err := fmt.Print(page)
		return err
	}
	return os.WriteFile(file, []byte(page), 0o644)
}
