package redact

import "strings"

// commandTable lists the flags of programs that take secrets and whose names do not show it. Commands are in lower
// case.
//
// A flag takes the next argument, and a long one also the text after "=". The suffix "*" means only the rest of the
// same argument (-pX), "+" means that or the next argument, and another character means that the secret starts after it
// (-u bob:X). WORD>N is the N-th argument after a word, not counting flags; ">N" counts from the command.
var commandTable = []struct{ commands, flags string }{
	{"curl", "-u: --user: -U: --proxy-user: -b= --cookie= --oauth2-bearer --pass --proxy-pass -E: --cert:"},
	{"wget", "--header=cookie:*"},
	{"http -a,https -a,http --auth,xh -a", ">1:"},
	{"mysql,mysqldump,mariadb,mariadb-dump,mysqlimport,mysqlcheck,mysqlslap,mysqlpump", "-p*"},
	{"mysqladmin,mariadb-admin", "-p* password>1"},
	{"mysqlsh", "-p* >1:"},
	{"mongo,mongosh,mongodump,mongorestore,mongoexport,mongoimport,cqlsh,rabbitmqadmin,beeline,racadm,twine,crane,psexec,rdesktop,nodetool,cf login,az login,oc login,az acr login,docker login,podman login,nerdctl login,buildah login,helm registry login,oras login,regctl,ansible-galaxy", "-p"},
	{"sshpass,7z,7za,unrar,rar", "-p+"},
	{"redis-cli,valkey-cli", "-a --pass"},
	{"ldapsearch,ldapadd,ldapmodify,ldapdelete,ldapwhoami", "-w+"},
	{"ldappasswd", "-w+ -s+ -a+"},
	{"smbclient", "-U% --user% >2"},
	{"smbget,smbmap,winexe,rpcclient", "-U% --user%"},
	{"ipmitool,sqlcmd,bcp,isql,tsql,osql,zip,unzip,zipcloak,mosquitto_pub,mosquitto_sub,freeipmi", "-P+"}, //nolint:misspell // the names of programs
	{"ipmipower,ipmi-sensors,ipmi-chassis,bmc-info", "-p"},
	{"snmpwalk,snmpget,snmpset,snmpbulkwalk,snmpgetnext,snmptable,snmptrap", "-A -X -c"},
	{"xfreerdp,wfreerdp", "/p:*"},
	{"crictl,skopeo,ctr ,nerdctl,podman,buildah,crane,oras", "--creds: --src-creds: --dest-creds: --creds --auth -u: --user:"},
	{"etcdctl", "--user:"},
	{"lftp", "-u, --user,"},
	{"clickhouse-client,influx,nats,helm,argocd,consul,nomad", "--password -password -t"},
	{"consul ,nomad ", "-token"},
	{"vault ", "unseal>1 login>1 unwrap>1"},
	{"keytool,jarsigner", "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass"},
	{"signtool", "/p"},
	{"openssl", "pass:* -k -pass: -passin: -passout: -K passwd>1"},
	{"ssh-keygen,puttygen", "-N -P"},
	{"gpg,gpg2", "--passphrase"},
	{"useradd,usermod", "-p --password"},
	{"omsadmin.sh", "-s"},
	{"rabbitmqctl", "add_user>2 change_password>2 authenticate_user>2"},
	{"net user,net.exe user", ">2"},
	{"schtasks", "/rp"},
	{"convertto-securestring", "-string >1"},
	{"sqlplus,expdp,impdp,rman target,sqlldr", ">1/"},
	{"mc alias set,mc config host add", ">4"},
	{"addauth digest", ">1:"},
	{"ngrok", "authtoken>1 add-authtoken>1"},
	{"tailscale", "--authkey --auth-key"},
	{"x11vnc", "-passwd"},
	{"nsupdate,dig", "-y:"},
	{"cloudflared", "--token"},
	{"aws configure set", ">2"},
	{"set-credentials", "--token --password"},
	{"curlftpfs", "user="},
	{"k3s,rke2,k3sup", "--token -t --agent-token"},
	{"rclone", "--sftp-pass --webdav-pass --http-pass"},
}

// secretArg is the position of a secret in the arguments of a command.
type secretArg struct {
	flag  string
	place int    // number of arguments after the flag, which is a word; 0: a flag
	next  bool   // the next argument is its value
	glued bool   // the value may follow directly
	after string // the secret starts after this character; empty: the whole value is secret
}

// command is a program with secrets in its arguments.
type command struct {
	word string
	args []secretArg
}

func commands() []command {
	var out []command
	for _, row := range commandTable {
		var args []secretArg
		for f := range strings.FieldsSeq(row.flags) {
			args = append(args, argumentOf(f))
		}
		for word := range strings.SplitSeq(row.commands, ",") {
			out = append(out, command{word, args})
		}
	}
	return out
}

func argumentOf(f string) secretArg {
	if word, place, ok := strings.Cut(f, ">"); ok {
		return secretArg{flag: word, place: int(place[0] - '0'), after: place[1:]}
	}
	a := secretArg{flag: f, next: true, glued: strings.HasPrefix(f, "--")}
	body := f[:len(f)-1]
	switch f[len(f)-1] {
	case '*':
		a.flag, a.next, a.glued = body, false, true
	case '+':
		a.flag, a.glued = body, true
	case ':', '=', '%', ',':
		a.flag, a.after, a.glued = body, f[len(f)-1:], true
	}
	return a
}
