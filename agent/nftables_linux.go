package agent

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// mostNft bounds the number of rules, and nftLimit the time to read them.
const (
	mostNft  = 200_000
	nftLimit = 3 * time.Second
	// attributeKind masks the two flags of an attribute type (kernel include/uapi/linux/netlink.h).
	attributeKind = 0x3fff
)

// nftRules reads chains and rules of nftables. It returns nil if the module is not loaded, because a request would load
// it.
func nftRules(h *Host) (*nodereport.Backend, error) {
	_, err := h.stat("/sys/module/nf_tables")
	_, modules := h.stat("/proc/modules")
	if err != nil && modules == nil {
		return nil, nil
	}
	r := nftReader{b: &nodereport.Backend{Name: "nft"}, base: map[string]string{}}
	err = r.read()
	none := r.b.Chains == 0 && r.b.Rules == 0
	switch {
	case errors.Is(err, unix.EPERM):
		return nil, fmt.Errorf("ask the kernel for nftables: %w", &refused{err, netAdmin})
	case errors.Is(err, unix.EPROTONOSUPPORT), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP):
		return nil, nil // the kernel has no nftables
	case err != nil:
		return nil, fmt.Errorf("ask the kernel for nftables: %w", err)
	case none:
		return nil, nil
	}
	return r.b, nil
}

// nftReader counts the chains and rules of nftables.
type nftReader struct {
	b    *nodereport.Backend
	base map[string]string // hooks by table and chain
}

func (r *nftReader) read() error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_NETFILTER)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: int64(nftLimit / time.Second)}); err != nil {
		return err
	}
	if err := dumpNft(fd, unix.NFT_MSG_GETCHAIN, r.chain); err != nil {
		return err
	}
	return dumpNft(fd, unix.NFT_MSG_GETRULE, r.rule)
}

func (r *nftReader) chain(family byte, a map[uint16][]byte) bool {
	r.b.Chains++
	hook := attributes(a[unix.NFTA_CHAIN_HOOK])[unix.NFTA_HOOK_HOOKNUM]
	if len(hook) != 4 || !isIPv4(family) {
		return true
	}
	at := binary.BigEndian.Uint32(hook)
	if int(at) >= len(hooks) {
		return true
	}
	table := text(a[unix.NFTA_CHAIN_TABLE])
	r.base[table+" "+text(a[unix.NFTA_CHAIN_NAME])] = hooks[at]
	if p := a[unix.NFTA_CHAIN_POLICY]; len(p) == 4 {
		verdict := "ACCEPT"
		if binary.BigEndian.Uint32(p) == 0 {
			verdict = "DROP"
		}
		policy(r.b, table, hooks[at], verdict)
	}
	return true
}

func (r *nftReader) rule(family byte, a map[uint16][]byte) bool {
	if r.b.Rules == mostNft {
		r.b.Cut = true
		return false
	}
	goes, table, chain := "", text(a[unix.NFTA_RULE_TABLE]), text(a[unix.NFTA_RULE_CHAIN])
	if hook := r.base[table+" "+chain]; hook != "" && isIPv4(family) {
		goes = goesTo(a[unix.NFTA_RULE_EXPRESSIONS])
		countDrop(r.b, table, hook, goes)
	}
	if family != unix.NFPROTO_IPV4 || chain != "FORWARD" {
		goes = ""
	}
	countRule(r.b, table, chain, goes)
	return true
}

// isIPv4 reports whether chains of a family see packets of IPv4.
func isIPv4(family byte) bool { return family == unix.NFPROTO_IPV4 || family == unix.NFPROTO_INET }

// goesTo returns the chain or verdict at the end of a rule, or the iptables target.
func goesTo(list []byte) string {
	out := ""
	eachAttribute(list, func(_ uint16, element []byte) {
		e := attributes(element)
		data := attributes(e[unix.NFTA_EXPR_DATA])
		switch text(e[unix.NFTA_EXPR_NAME]) {
		case "immediate":
			verdict := attributes(attributes(data[unix.NFTA_IMMEDIATE_DATA])[unix.NFTA_DATA_VERDICT])
			if chain := text(verdict[unix.NFTA_VERDICT_CHAIN]); chain != "" {
				out = chain
			} else if code := verdict[unix.NFTA_VERDICT_CODE]; len(code) == 4 {
				switch int32(binary.BigEndian.Uint32(code)) {
				case 0:
					out = "DROP"
				case 1:
					out = "ACCEPT"
				}
			}
		case "reject":
			out = "REJECT"
		case "target":
			out = text(data[1]) // NFTA_TARGET_NAME
		}
	})
	return out
}

// dumpNft dumps all objects of one kind and visits each until visit returns true.
func dumpNft(fd int, kind uint16, visit func(family byte, a map[uint16][]byte) bool) error {
	request := make([]byte, unix.NLMSG_HDRLEN+4) // the netlink header and the netfilter header: every family, version 0
	binary.NativeEndian.PutUint32(request, uint32(len(request)))
	binary.NativeEndian.PutUint16(request[4:], unix.NFNL_SUBSYS_NFTABLES<<8|kind)
	binary.NativeEndian.PutUint16(request[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	end := time.Now().Add(nftLimit)
	more := true
	for buffer := make([]byte, 32<<10); ; {
		n, _, err := unix.Recvfrom(fd, buffer, 0)
		if err != nil {
			return err
		}
		for data := buffer[:n]; len(data) >= unix.NLMSG_HDRLEN; {
			size := int(binary.NativeEndian.Uint32(data))
			if size < unix.NLMSG_HDRLEN || size > len(data) {
				return errors.New("the answer cannot be read")
			}
			body := data[unix.NLMSG_HDRLEN:size]
			switch binary.NativeEndian.Uint16(data[4:]) {
			case unix.NLMSG_DONE:
				return nil
			case unix.NLMSG_ERROR:
				if len(body) >= 4 {
					if code := int32(binary.NativeEndian.Uint32(body)); code != 0 {
						return unix.Errno(-code)
					}
				}
				return nil
			}
			if more && len(body) >= 4 {
				more = visit(body[0], attributes(body[4:])) && time.Now().Before(end)
			}
			data = data[min(len(data), (size+3)&^3):]
		}
		if !more {
			return nil // closing the socket discards the rest
		}
	}
}

// attributes parses a list of netlink attributes. The last of a kind wins.
func attributes(data []byte) map[uint16][]byte {
	out := map[uint16][]byte{}
	eachAttribute(data, func(kind uint16, value []byte) { out[kind] = value })
	return out
}

func eachAttribute(data []byte, visit func(kind uint16, value []byte)) {
	for len(data) >= unix.SizeofNlAttr {
		size := int(binary.NativeEndian.Uint16(data))
		if size < unix.SizeofNlAttr || size > len(data) {
			return
		}
		visit(binary.NativeEndian.Uint16(data[2:])&attributeKind, data[unix.SizeofNlAttr:size])
		data = data[min(len(data), (size+3)&^3):]
	}
}
