package redact

import "strings"

// command is a program whose flags take secrets under names that say nothing.
type command struct {
	word  string // in lower case, with the blank or a part of the line after it
	flags []secretFlag
}

// secretFlag is one of them.
type secretFlag struct {
	flag  string
	glued bool   // the value may stand at once behind it: -pX
	after string // the sign behind which the secret starts in the value; empty: all of it is secret
}

var (
	dashP    = secretFlag{flag: "-p"}
	gluedP   = secretFlag{flag: "-p", glued: true}
	userPass = []secretFlag{{flag: "-u", glued: true, after: ":"}, {flag: "--user", after: ":"}, {flag: "--user=", glued: true, after: ":"}, {flag: "-U", after: ":"}, {flag: "--proxy-user", after: ":"}, {flag: "--proxy-user=", glued: true, after: ":"}, {flag: "-b", after: "="}, {flag: "--cookie", after: "="}}
	creds    = []secretFlag{{flag: "--creds", after: ":"}, {flag: "--creds=", glued: true, after: ":"}, {flag: "--src-creds", after: ":"}, {flag: "--dest-creds", after: ":"}, {flag: "--src-creds=", glued: true, after: ":"}, {flag: "--dest-creds=", glued: true, after: ":"}, {flag: "-u", after: ":"}, {flag: "--user", after: ":"}}
)

var commandsWithSecrets = []command{
	{"curl", userPass}, {"wget", []secretFlag{{flag: "--header=cookie:", glued: true}}},
	{"mysql", []secretFlag{{flag: "-p", glued: true}}}, {"mysqldump", []secretFlag{{flag: "-p", glued: true}}}, {"mysqladmin", []secretFlag{{flag: "-p", glued: true}}}, {"mariadb", []secretFlag{{flag: "-p", glued: true}}},
	{"sshpass", []secretFlag{gluedP}}, {"az login", []secretFlag{dashP}}, {"az acr login", []secretFlag{dashP}}, {"docker login", []secretFlag{dashP}}, {"podman login", []secretFlag{dashP}}, {"nerdctl login", []secretFlag{dashP}}, {"buildah login", []secretFlag{dashP}},
	{"helm registry login", []secretFlag{dashP}}, {"oras login", []secretFlag{dashP}}, {"oc login", []secretFlag{dashP}}, {"argocd login", nil}, {"cf login", []secretFlag{dashP}},
	{"mongo", []secretFlag{dashP}}, {"mongosh", []secretFlag{dashP}}, {"mongodump", []secretFlag{dashP}}, {"redis-cli", []secretFlag{{flag: "-a"}, {flag: "--pass"}}},
	{"ldapsearch", []secretFlag{{flag: "-w"}}}, {"ldapadd", []secretFlag{{flag: "-w"}}}, {"ldapmodify", []secretFlag{{flag: "-w"}}}, {"ldapwhoami", []secretFlag{{flag: "-w"}}}, {"smbclient", []secretFlag{{flag: "-U", after: "%"}, {flag: "--user", after: "%"}}},
	{"ipmitool", []secretFlag{{flag: "-P"}}}, {"sqlcmd", []secretFlag{{flag: "-P", glued: true}}}, {"bcp", []secretFlag{{flag: "-P", glued: true}}}, {"unzip", []secretFlag{{flag: "-P"}}}, {"7z", []secretFlag{gluedP}},
	{"snmpwalk", []secretFlag{{flag: "-A"}, {flag: "-X"}, {flag: "-c"}}}, {"snmpget", []secretFlag{{flag: "-A"}, {flag: "-X"}, {flag: "-c"}}}, {"xfreerdp", []secretFlag{{flag: "/p:", glued: true}}},
	{"crictl", creds}, {"skopeo", creds}, {"ctr ", creds}, {"lftp", []secretFlag{{flag: "-u", after: ","}}}, {"clickhouse-client", []secretFlag{{flag: "--password"}}}, {"influx", []secretFlag{{flag: "-t"}}}, {"rclone", []secretFlag{{flag: "--sftp-pass"}}},
	{"consul ", []secretFlag{{flag: "-token"}}}, {"vault login", []secretFlag{{flag: ""}}}, {"keytool", []secretFlag{{flag: "-storepass"}, {flag: "-keypass"}, {flag: "-srcstorepass"}, {flag: "-deststorepass"}}}, {"openssl", []secretFlag{{flag: "pass:", glued: true}, {flag: "-k"}, {flag: "-pass", after: "pass:"}}},
	{"--from-literal", nil}, {"rabbitmqctl", nil}, {"chpasswd", nil}, {"htpasswd", nil}, {"net user", nil},
}

func commandClues() []clue {
	var out []clue
	for i := range commandsWithSecrets {
		c := &commandsWithSecrets[i]
		text := c.word
		if len(text) < 3 {
			text += " "
		}
		out = append(out, clue{text: text, find: func(_ *Lines, s string, at, end int, out []span) []span {
			if at > 0 && isWord(s[at-1]) {
				return out
			}
			switch c.word {
			case "--from-literal":
				return literal(s, end, out)
			case "rabbitmqctl":
				return nthAfter(s, end, []string{"add_user", "change_password", "authenticate_user"}, 2, out)
			case "htpasswd":
				return htpasswd(s, end, out)
			case "chpasswd":
				return echoed(s, at, out)
			case "net user":
				return nthAfter(s, end-len("user"), []string{"user"}, 2, out)
			}
			return c.find(s, end, out)
		}})
	}
	return append(out, clue{text: "pass:", find: func(_ *Lines, s string, at, end int, out []span) []span {
		// -passin pass:X of openssl
		if at > 1 && strings.IndexByte(" \t=\"'", s[at-1]) >= 0 && strings.Contains(s[max(0, at-12):at], "-pass") {
			return append(out, span{end, bareEnd(s, end), "password"})
		}
		return out
	}})
}

// find hides the values of the flags of a command that stand after its word.
func (c *command) find(s string, end int, out []span) []span {
	if end < len(s) && isWord(s[end]) && !strings.HasSuffix(c.word, " ") {
		return out
	}
	args := arguments(s, end)
	for i := 0; i < len(args); i++ {
		arg := s[args[i].lo:args[i].hi]
		for _, f := range c.flags {
			v := args[i]
			switch {
			case f.flag == "" && i == 0 && !strings.HasPrefix(arg, "-"):
			case f.flag == "":
				continue
			case arg == f.flag && i+1 < len(args) && !f.onlyGlued(c):
				v = args[i+1]
			case f.glued && len(arg) > len(f.flag) && strings.HasPrefix(arg, f.flag):
				v.lo += len(f.flag)
			default:
				continue
			}
			if f.after != "" {
				at := strings.Index(s[v.lo:v.hi], f.after)
				if at < 0 {
					continue
				}
				v.lo += at + len(f.after)
			}
			if v.lo < v.hi && !placeholder(s[v.lo:v.hi]) && s[v.lo] != '-' && !isPath(s[v.lo:v.hi]) && !isNumberFlag(c.word, s[v.lo:v.hi]) {
				out = append(out, span{v.lo, v.hi, "password"})
			}
			break
		}
	}
	return out
}

// onlyGlued tells flags of which the next argument is something else: mysql asks for the password after a bare -p.
func (f secretFlag) onlyGlued(c *command) bool {
	return f.flag == "-p" && (strings.HasPrefix(c.word, "mysql") || c.word == "mariadb" || c.word == "7z") || strings.HasSuffix(f.flag, "=") || strings.HasSuffix(f.flag, ":")
}

// isNumberFlag tells ports, where the same flag means one.
func isNumberFlag(word, v string) bool { return word == "influx" && len(v) < 20 }

// arguments splits what follows a command into its arguments: up to the end of the line or of the command. Those of a list in
// JSON are told apart too.
func arguments(s string, from int) []span {
	var out []span
	for p := from; p < len(s) && len(out) < 60; {
		p = skip(s, p, " \t\",']\\", 40)
		if p < len(s) && s[p] == '[' && !strings.HasPrefix(s[p:], tagStart) {
			p++
			continue
		}
		if p >= len(s) {
			break
		}
		if c := s[p]; c == '|' || c == ';' && p+1 < len(s) && s[p+1] == ' ' {
			break
		}
		end, in := p, byte(0)
		if p > 0 && (s[p-1] == '"' || s[p-1] == '\'') {
			in = s[p-1]
		}
		for end < len(s) {
			c := s[end]
			if c == in || in == 0 && (c == ' ' || c == '\t' || c == '"' || c == '\'') || c == '\\' && end+1 < len(s) && strings.IndexByte(`"'\n`, s[end+1]) >= 0 {
				break
			}
			end++
		}
		if in != 0 && strings.IndexByte(s[p:end], ' ') >= 0 && strings.HasPrefix(s[p:], "-") {
			end = p + strings.IndexByte(s[p:end], ' ') // the quote opened the whole command line
		}
		out = append(out, span{lo: p, hi: end})
		p = end + 1
	}
	return out
}

// literal hides the value of --from-literal=name=value.
func literal(s string, end int, out []span) []span {
	args := arguments(s, skip(s, end, "=", 1))
	if len(args) == 0 {
		return out
	}
	v := args[0]
	if at := strings.IndexByte(s[v.lo:v.hi], '='); at > 0 && v.lo+at+1 < v.hi {
		return append(out, span{v.lo + at + 1, v.hi, "secret"})
	}
	return out
}

// nthAfter hides the argument so many places behind one of the verbs.
func nthAfter(s string, end int, verbs []string, n int, out []span) []span {
	args := arguments(s, end)
	for i, a := range args {
		for _, verb := range verbs {
			if s[a.lo:a.hi] == verb && i+n < len(args) && !placeholder(s[args[i+n].lo:args[i+n].hi]) && s[args[i+n].lo] != '/' {
				return append(out, span{args[i+n].lo, args[i+n].hi, "password"})
			}
		}
	}
	return out
}

// htpasswd hides the password behind the file and the user, where a flag says that it is there.
func htpasswd(s string, end int, out []span) []span {
	left, given := 2, false // arguments before the password
	for _, a := range arguments(s, end) {
		arg := s[a.lo:a.hi]
		switch {
		case strings.HasPrefix(arg, "-"):
			given = given || strings.Contains(arg, "b")
			if strings.Contains(arg, "n") {
				left = 1
			}
		case left > 0:
			left--
		case given && !hidden(arg):
			return append(out, span{a.lo, a.hi, "password"})
		default:
			return out
		}
	}
	return out
}

// echoed hides what is written to chpasswd: user:password.
func echoed(s string, at int, out []span) []span {
	from := strings.LastIndex(s[:at], "echo ")
	if from < 0 {
		return out
	}
	for _, a := range arguments(s[:at], from+len("echo ")) {
		if colon := strings.IndexByte(s[a.lo:a.hi], ':'); colon > 0 && a.lo+colon+1 < a.hi {
			return append(out, span{a.lo + colon + 1, a.hi, "password"})
		}
	}
	return out
}
