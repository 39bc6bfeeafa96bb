//go:build linux

// Package terminal runs programs on a pseudo-terminal.
package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Size is the size of a terminal.
type Size struct{ Rows, Columns int }

// Open creates a pseudo-terminal: the side of the user, and the side of the program.
func Open(size Size) (user, program *os.File, err error) {
	if user, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	if program, err = other(user, size); err != nil {
		_ = user.Close()
		return nil, nil, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	return user, program, nil
}

// other unlocks the side of the program, sets its size and opens it.
func other(user *os.File, size Size) (*os.File, error) {
	fd := int(user.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(size.Rows), Col: uint16(size.Columns)}); err != nil {
		return nil, err
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, err
	}
	return os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
}

// Show runs a program that the user started with this command line. It returns the rows on the screen when the prompt is
// back, and the exit code. The terminal is also the standard input of the program, and its controlling terminal.
func Show(size Size, line string, cmd *exec.Cmd) (rows []string, code int, err error) {
	user, program, err := Open(size)
	if err != nil {
		return nil, 0, err
	}
	defer user.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		_ = program.Close()
		return nil, 0, err
	}
	_ = program.Close() // the program has it
	s := newScreen(size)
	s.write("$ " + line + "\r\n")
	for buf := make([]byte, 4096); ; {
		n, err := user.Read(buf)
		s.write(string(buf[:n]))
		if err != nil { // EIO: the program has ended
			break
		}
	}
	_ = cmd.Wait() // the exit code is part of the answer
	s.write("$ ")
	rows, err = s.visible()
	return rows, cmd.ProcessState.ExitCode(), err
}
