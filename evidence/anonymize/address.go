package anonymize

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

func isAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// known are networks that are not replaced: well-known ones, and those in rules.
var known = prefixes("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32", "224.0.0.0/3", "10.85.0.0/16", "10.88.0.0/16", "172.17.0.0/16",
	"192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15", "1.1.1.1/32", "1.0.0.1/32", "8.8.8.8/32", "8.8.4.4/32", "9.9.9.9/32",
	"::/127", "ff00::/8", "fd00:ec2::254/128",
	// the service of the API server in clusters with a default range: a message about it is about the API server
	"10.96.0.1/32", "10.43.0.1/32", "172.20.0.1/32", "172.30.0.1/32", "10.100.0.1/32", "10.233.0.1/32", "10.152.183.1/32", "10.254.0.1/32")

// private are private networks. Their addresses stay in the same network.
var private = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/64")

func prefixes(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

func within(list []netip.Prefix, a netip.Addr) (netip.Prefix, bool) {
	for _, p := range list {
		if p.Contains(a) {
			return p, true
		}
	}
	return netip.Prefix{}, false
}

// address returns the alias of an address. It preserves common prefixes of addresses, private ranges and the last eight
// bits.
func (n *Names) address(a netip.Addr) netip.Addr {
	if a.Is4In6() || a.Zone() != "" {
		return a
	}
	if _, stays := within(known, a); stays {
		return a
	}
	to, ok := n.addresses[a]
	if !ok {
		to = n.changed(a)
		n.addresses[a] = to
	}
	return to
}

func (n *Names) changed(a netip.Addr) netip.Addr {
	p, own := within(private, a)
	switch {
	case own:
		return n.flip(a, p.Bits())
	case a.Is4():
		block := netip.PrefixFrom(a, 24).Masked()
		if _, ok := n.blocks[block]; !ok {
			n.blocks[block] = len(n.blocks)
		}
		i, b := n.blocks[block], a.As4()
		return netip.AddrFrom4([4]byte{198, byte(18 + i/256%2), byte(i), b[3]})
	default:
		b := n.flip(a, 3).As16()
		copy(b[:], []byte{0x20, 0x01, 0x0d, 0xb8})
		return netip.AddrFrom16(b)
	}
}

// flip changes the bits after the first ones, each depending on the previous bits, except the last eight. It keeps the
// prefixes of known networks, so that no other address moves into them.
func (n *Names) flip(a netip.Addr, from int) netip.Addr {
	in := a.AsSlice()
	out := append([]byte(nil), in...)
	for bit := from; bit < len(in)*8-8; bit++ {
		before, err := a.Prefix(bit)
		if err != nil {
			return a
		}
		if leadsToKnown(before) {
			continue
		}
		mac := hmac.New(sha256.New, n.key)
		mac.Write([]byte(before.String()))
		out[bit/8] ^= mac.Sum(nil)[0] & 1 << (7 - bit%8)
	}
	to, _ := netip.AddrFromSlice(out)
	return to
}

func leadsToKnown(p netip.Prefix) bool {
	for _, k := range known {
		if p.Overlaps(k) {
			return true
		}
	}
	return false
}

// addressAt finds an address at p, with a following prefix length.
func (n *Names) addressAt(s string, p int) (hi int, to string) {
	if p > 0 && wordByte(s[p-1]) && s[p-1] != '_' {
		return 0, ""
	}
	afterColon := p > 0 && s[p-1] == ':' // as in LocalIP:10.0.0.1
	end, dots, colons, digits := addressBytes(s, p)
	switch {
	case dots >= 3 && digits:
		return n.dotted(s, p, end)
	case colons >= 2 && digits && !afterColon:
		return n.colons(s, p, end)
	}
	return 0, ""
}

// colons is addressAt for IPv6.
func (n *Names) colons(s string, p, end int) (int, string) {
	for end > p && s[end-1] == '.' {
		end--
	}
	if end < len(s) && wordByte(s[end]) {
		return 0, ""
	}
	if strings.HasSuffix(s[p:end], ":") && !strings.HasSuffix(s[p:end], "::") {
		end--
	}
	return n.network(s, p, end)
}

// addressBytes counts the possible address characters from p on, and finds their end.
func addressBytes(s string, p int) (end, dots, colons int, digits bool) {
	for end = p; end < len(s) && end-p < 46; end++ {
		switch c := s[end]; {
		case c == '.':
			dots++
		case c == ':':
			colons++
		case digit(c):
			digits = true
		case !hexDigit(c):
			return end, dots, colons, digits
		}
	}
	return end, dots, colons, digits
}

// dotted is addressAt for IPv4.
func (n *Names) dotted(s string, p, end int) (int, string) {
	hi := p
	for d := 0; hi < end && (s[hi] == '.' || digit(s[hi])); hi++ {
		if s[hi] == '.' {
			if d++; d == 4 {
				break
			}
		}
	}
	if longerThanIPv4(s[hi:]) {
		return 0, ""
	}
	return n.network(s, p, hi)
}

// longerThanIPv4 reports whether the text after four numbers makes them part of something else: 10.0.0.1a, 1.2.3.4.5.
func longerThanIPv4(rest string) bool {
	switch {
	case rest == "":
		return false
	case rest[0] == '.':
		return len(rest) > 1 && digit(rest[1])
	}
	return letter(rest[0]) || digit(rest[0])
}

// network replaces the address s[lo:hi] with its prefix length.
func (n *Names) network(s string, lo, hi int) (int, string) {
	a, err := netip.ParseAddr(s[lo:hi])
	if err != nil {
		return 0, ""
	}
	bits, end, ok := prefixLength(s, hi)
	if !ok || bits > a.BitLen() {
		return hi, shown(a, n.address(a), s[lo:hi])
	}
	if isInterface := netip.PrefixFrom(a, bits).Masked().Addr() != a || bits == a.BitLen(); isInterface {
		return end, fmt.Sprintf("%s/%d", shown(a, n.address(a), s[lo:hi]), bits)
	}
	if staysNetwork(a, bits) {
		return end, s[lo:end]
	}
	to := netip.PrefixFrom(n.changed(a), bits).Masked().Addr()
	return end, fmt.Sprintf("%s/%d", shown(a, to, s[lo:hi]), bits)
}

// prefixLength reads a prefix length such as /24 at p.
func prefixLength(s string, p int) (bits, end int, ok bool) {
	end = p + 1
	for end < len(s) && end-p < 4 && digit(s[end]) {
		end++
	}
	if p == len(s) || s[p] != '/' || end == p+1 {
		return 0, 0, false
	}
	if end < len(s) && wordByte(s[end]) && s[end] != '.' {
		return 0, 0, false
	}
	bits, _ = strconv.Atoi(s[p+1 : end]) // up to three digits
	return bits, end, true
}

// staysNetwork reports whether a network is not replaced: a well-known one, all addresses, and one that contains a
// private network.
func staysNetwork(a netip.Addr, bits int) bool {
	_, wellKnown := within(known, a)
	own, isPrivate := within(private, a)
	return wellKnown || bits == 0 || isPrivate && bits <= own.Bits()
}

// shown returns the original notation if the address stays.
func shown(a, to netip.Addr, text string) string {
	if a == to {
		return text
	}
	return to.String()
}

// dashedAt finds the address in a host name such as ip-10-0-0-1.
func (n *Names) dashedAt(word string, lo, hi int) (int, string) {
	if !strings.HasPrefix(word[lo:hi], "ip-") {
		return 0, ""
	}
	parts := strings.SplitN(word[lo+3:hi], "-", 5)
	if len(parts) < 4 {
		return 0, ""
	}
	fourth := parts[3]
	for i, c := range fourth {
		if c < '0' || c > '9' {
			fourth = fourth[:i]
			break
		}
	}
	var b [4]byte
	for i, p := range append(append([]string(nil), parts[:3]...), fourth) {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 || v > 255 {
			return 0, ""
		}
		b[i] = byte(v)
	}
	end := lo + 3 + len(parts[0]) + len(parts[1]) + len(parts[2]) + 3 + len(fourth)
	to := n.address(netip.AddrFrom4(b)).As4()
	return end, fmt.Sprintf("ip-%d-%d-%d-%d", to[0], to[1], to[2], to[3])
}
