package lab

import "syscall"

// attributes make the kernel kill the child when the program that started it is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
