// Package tool contains what all commands of the lab share: a context that Ctrl-C cancels, errors on stderr, the
// program under test, and the output file.
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

// Main runs a command with the arguments of the process until it is done or interrupted. After an error it prints the
// error with the name of the command and exits with 1. A request for help is not an error.
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

// Program returns the absolute path of the program under test, which a flag names as a path or a command.
func Program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("find nodetriage (name it with -nodetriage): %w", err)
	}
	return filepath.Abs(path)
}

// Write writes a page to a file, or to standard output without one.
func Write(file, page string) error {
	if file == "" {
		_, err := fmt.Print(page)
		return err
	}
	return os.WriteFile(file, []byte(page), 0o644)
}
