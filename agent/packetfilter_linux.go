package agent

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Kernel interface of iptables tables (kernel include/uapi/linux/netfilter_ipv4/ip_tables.h).
const (
	getInfo      = 64 // IPT_SO_GET_INFO
	getEntries   = 65 // IPT_SO_GET_ENTRIES
	nameSize     = 32
	infoSize     = nameSize + 4 + 5*4 + 5*4 + 4 + 4
	entriesHead  = 40
	entrySize    = 112
	targetOffset = 88
	nextOffset   = 90
	targetName   = 2 // after its size
	targetData   = 32
	mostEntries  = 4 << 20 // bytes; a Service has about ten rules, a rule about 200
)

func realFilter(h *Host) ([]nodereport.Backend, error) {
	return filterOf(h, strings.Fields(h.text("/proc/1/net/ip_tables_names")))
}

// filterOf reads the named tables and all of nftables in the network namespace of this thread.
func filterOf(h *Host, tables []string) ([]nodereport.Backend, error) {
	legacy, err := legacyTables(tables)
	nft, nftErr := nftRules(h)
	if err = errors.Join(err, nftErr); err != nil {
		return nil, err
	}
	out := []nodereport.Backend{}
	for _, b := range []*nodereport.Backend{legacy, nft} {
		if b != nil {
			out = append(out, *b)
		}
	}
	return out, nil
}

// legacyTables reads the existing tables. It returns nil if there is none.
func legacyTables(names []string) (*nodereport.Backend, error) {
	if len(names) == 0 {
		return nil, nil
	}
	slices.Sort(names)
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("ask the kernel for its packet filter: %w", err)
	}
	defer unix.Close(fd)
	b := &nodereport.Backend{Name: "legacy"}
	for _, table := range names {
		if len(table) >= nameSize {
			continue
		}
		if err := legacyTable(fd, table, b); err != nil {
			if errors.Is(err, unix.EPERM) {
				err = &refused{err, netAdmin}
			}
			return nil, fmt.Errorf("ask the kernel for table %s of its packet filter: %w", table, err)
		}
	}
	return b, nil
}

func legacyTable(fd int, table string, b *nodereport.Backend) error {
	info := make([]byte, infoSize)
	copy(info, table)
	if err := getsockopt(fd, getInfo, info); err != nil {
		return err
	}
	word := func(at int) uint32 { return binary.NativeEndian.Uint32(info[at:]) }
	valid, entries, size := word(nameSize), word(infoSize-8), word(infoSize-4)
	b.Bytes += uint64(size)
	if size > mostEntries {
		b.Rules, b.Cut = b.Rules+int(entries), true
		return nil
	}
	data := make([]byte, entriesHead+int(size))
	copy(data, table)
	binary.NativeEndian.PutUint32(data[nameSize:], size)
	if err := getsockopt(fd, getEntries, data); err != nil {
		return err
	}
	starts, ends := map[uint32]string{}, map[uint32]string{} // of built-in chains; the policy is at the end
	for i, hook := range hooks {
		if valid&(1<<i) != 0 {
			starts[word(nameSize+4+4*i)], ends[word(nameSize+24+4*i)] = hook, hook
		}
	}
	readEntries(table, data[entriesHead:], starts, ends, b)
	return nil
}

// readEntries iterates over the rules twice: jumps have an offset, and the chains by offset are known after the first
// pass.
func readEntries(table string, data []byte, starts, ends map[uint32]string, b *nodereport.Backend) {
	places := map[uint32]string{}
	eachEntry(data, func(at uint32, entry []byte, name string, rest []byte) {
		if name == "ERROR" {
			places[at+uint32(len(entry))] = text(rest) // the chain begins after its name
		}
	})
	chain, open := "", false // open: a rule is not counted yet; the last rule of a user chain is only its end
	waits := ""
	eachEntry(data, func(at uint32, _ []byte, name string, rest []byte) {
		if name == "ERROR" {
			open = false
			if chain = text(rest); chain != "ERROR" {
				b.Chains++
			}
			return
		}
		if open {
			countRule(b, table, chain, waits)
			if slices.Contains(hooks, chain) {
				countDrop(b, table, chain, waits)
			}
			open = false
		}
		if hook := starts[at]; hook != "" {
			chain = hook
			b.Chains++
		}
		goes := name
		if name == "" && len(rest) >= 4 {
			switch verdict := int32(binary.NativeEndian.Uint32(rest)); {
			case verdict >= 0:
				goes = places[uint32(verdict)]
			case verdict == -1:
				goes = "DROP"
			case verdict == -2:
				goes = "ACCEPT"
			default:
				goes = ""
			}
		}
		if hook := ends[at]; hook != "" {
			policy(b, table, hook, goes)
			return
		}
		open, waits = chain != "", goes
	})
}

func eachEntry(data []byte, visit func(at uint32, entry []byte, target string, rest []byte)) {
	for at := 0; at+entrySize <= len(data); {
		entry := data[at:]
		target, next := int(binary.NativeEndian.Uint16(entry[targetOffset:])), int(binary.NativeEndian.Uint16(entry[nextOffset:]))
		if next < entrySize || next > len(entry) || target+targetData > next {
			return
		}
		visit(uint32(at), entry[:next], text(entry[target+targetName:target+targetData-1]), entry[target+targetData:next])
		at += next
	}
}

// text returns a C string.
func text(data []byte) string {
	head, _, _ := bytes.Cut(data, []byte{0})
	return string(head)
}

func getsockopt(fd int, name int, data []byte) error {
	size := uint32(len(data))
	_, _, code := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.IPPROTO_IP, uintptr(name), uintptr(unsafe.Pointer(&data[0])), uintptr(unsafe.Pointer(&size)), 0)
	if code != 0 {
		return code
	}
	return nil
}
