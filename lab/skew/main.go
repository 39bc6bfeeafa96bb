//go:build linux && amd64

// Command skew runs a program with a clock offset: skew SECONDS PROGRAM [ARGUMENT...]. Linux has no namespace for the
// wall clock, but every program reads it through the vDSO, a page of code that the kernel maps into each process.
// Before the first instruction of the program, skew replaces that code, only in this process, with code that calls the
// kernel and adds the seconds. Child processes of the program use the true clock, and so do file times.
package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: skew SECONDS PROGRAM [ARGUMENT...]")
		os.Exit(2)
	}
	code, err := run(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "skew:", err)
		code = 1
	}
	os.Exit(code)
}

func run(by string, args []string) (int, error) {
	seconds, err := strconv.ParseInt(by, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("read %q: it is no number of seconds", by)
	}
	runtime.LockOSThread() // ptrace belongs to a thread
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || !status.Stopped() {
		return 0, fmt.Errorf("wait for %s: %v %w", args[0], status, err)
	}
	if err := errors.Join(turn(pid, int32(seconds)), syscall.PtraceDetach(pid)); err != nil {
		return 0, errors.Join(fmt.Errorf("turn the clock of %s: %w", args[0], err), cmd.Process.Kill())
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	_ = cmd.Wait() // its code is our code
	return max(cmd.ProcessState.ExitCode(), 0), nil
}

// turn replaces the functions of the vDSO of the process.
func turn(pid int, seconds int32) error {
	base, err := vdso(pid)
	if err != nil {
		return err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	file, err := elf.NewFile(io.NewSectionReader(memory, base, 16<<12))
	if err != nil {
		return fmt.Errorf("read the vDSO: %w", err)
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return fmt.Errorf("read the vDSO: %w", err)
	}
	done := 0
	for _, s := range symbols {
		if code := function(s.Name, seconds); code != nil {
			if _, err := memory.WriteAt(code, base+int64(s.Value)); err != nil {
				return fmt.Errorf("write %s: %w", s.Name, err)
			}
			done++
		}
	}
	if done < 3 {
		return fmt.Errorf("the vDSO has only %d of the three functions that tell the time", done)
	}
	return nil
}

// vdso returns the address from the kernel (AT_SYSINFO_EHDR, getauxval(3)).
func vdso(pid int) (int64, error) {
	const header = 33
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", pid))
	if err != nil {
		return 0, err
	}
	for ; len(data) >= 16; data = data[16:] {
		if binary.LittleEndian.Uint64(data) == header {
			return int64(binary.LittleEndian.Uint64(data[8:])), nil
		}
	}
	return 0, errors.New("the process has no vDSO")
}

// function returns the machine code of a vDSO function that adds the seconds to the time of the kernel.
func function(name string, seconds int32) []byte {
	n := binary.LittleEndian.AppendUint32(nil, uint32(seconds))
	switch name {
	case "__vdso_clock_gettime":
		return bytes.Join([][]byte{
			{0xb8, 228, 0, 0, 0, 0x0f, 0x05}, // mov eax, SYS_clock_gettime; syscall
			{0x85, 0xc0, 0x75, 17},           // test eax, eax; jnz end
			{0x83, 0xff, 0, 0x74, 5},         // cmp edi, CLOCK_REALTIME; je add
			{0x83, 0xff, 5, 0x75, 7},         // cmp edi, CLOCK_REALTIME_COARSE; jne end
			{0x48, 0x81, 0x06}, n,            // add: add qword [rsi], seconds
			{0xc3}, // end: ret
		}, nil)
	case "__vdso_gettimeofday":
		return bytes.Join([][]byte{
			{0xb8, 96, 0, 0, 0, 0x0f, 0x05}, // mov eax, SYS_gettimeofday; syscall
			{0x48, 0x85, 0xff, 0x74, 7},     // test rdi, rdi; jz end
			{0x48, 0x81, 0x07}, n,           // add qword [rdi], seconds
			{0xc3}, // end: ret
		}, nil)
	case "__vdso_time":
		return bytes.Join([][]byte{
			{0xb8, 201, 0, 0, 0, 0x57, 0x31, 0xff, 0x0f, 0x05, 0x5f}, // mov eax, SYS_time; push rdi; xor edi, edi; syscall; pop rdi
			{0x48, 0x05}, n, // add rax, seconds
			{0x48, 0x85, 0xff, 0x74, 3, 0x48, 0x89, 0x07}, // test rdi, rdi; jz end; mov [rdi], rax
			{0xc3}, // end: ret
		}, nil)
	}
	return nil
}
