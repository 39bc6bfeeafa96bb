package accuracy

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

var noise = kind{
	name: "noise",
	says: "the case among logs of applications and of other systems, as further files",
	goal: "the same first answer",
	change: func(p Play) (Files, string) {
		rnd := p.rnd()
		end := time.Date(yearless, 5, 14, 9, 30, 0, 0, time.UTC)
		if s, ok := spanOf(p.Case.Files); ok {
			end = s.last
		} else if t := newestObserved(p.Case.Files); !t.IsZero() {
			end = t
		}
		out := append(Files{}, p.Case.Files...)
		for _, i := range rnd.Perm(len(applications))[:3] {
			a := applications[i]
			out = append(out, File{otherLogs + a.file, a.log(rnd, end)})
		}
		return out, ""
	},
	added: func(name string) bool { return strings.HasPrefix(name, otherLogs) },
	judge: func(p Play, got Answer) Problem { return sameFirst(p.Case, got) },
}

// otherLogs is the folder of added logs.
const otherLogs = "other-logs/"

// application is a program that is unrelated to nodes, and its log lines.
type application struct {
	file  string
	stamp string // the format of its time
	// usual are its normal lines. odd are its own errors, in words that node programs use too. {n} is a number.
	usual, odd []string
}

// log returns the end of a log of the application. One line in twelve is odd.
func (a application) log(rnd *rand.Rand, end time.Time) string {
	n := 40 + rnd.IntN(40)
	var out []string
	for i := range n {
		from := a.usual
		if rnd.IntN(12) == 0 {
			from = a.odd
		}
		text := from[rnd.IntN(len(from))]
		at := end.Add(-time.Duration(n-i)*20*time.Second - time.Duration(rnd.IntN(15))*time.Second)
		line := at.UTC().Format(a.stamp) + text
		for strings.Contains(line, "{n}") {
			line = strings.Replace(line, "{n}", strconv.Itoa(rnd.IntN(9000)+1000), 1)
		}
		out = append(out, line)
	}
	return unlines(out)
}

// applications log in the formats of the programs that they name. Hosts, users and requests are made up.
var applications = []application{
	{"nginx/error.log", "2006/01/02 15:04:05", []string{
		` [notice] 31#31: signal 17 (SIGCHLD) received from {n}`,
		` [warn] 31#31: *{n} a client request body is buffered to a temporary file /var/cache/nginx/client_temp/0000000{n}, client: 10.12.0.4, server: shop.example.com, request: "POST /upload HTTP/1.1"`,
	}, []string{
		` [error] 31#31: *{n} connect() failed (111: Connection refused) while connecting to upstream, client: 10.12.0.4, server: shop.example.com, request: "GET /api/v1/items HTTP/1.1", upstream: "http://127.0.0.1:8080/api/v1/items"`,
		` [error] 31#31: *{n} upstream timed out (110: Connection timed out) while reading response header from upstream, client: 10.12.0.4, server: shop.example.com`,
		` [crit] 31#31: *{n} open() "/var/cache/nginx/proxy_temp/1" failed (13: Permission denied), client: 10.12.0.4`,
	}},
	{"nginx/access.log", "", []string{
		`10.12.0.4 - - [14/May/2024:09:12:11 +0000] "GET /items/{n} HTTP/1.1" 200 5123 "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
		`10.12.0.9 - - [14/May/2024:09:12:12 +0000] "GET /healthz HTTP/1.1" 200 2 "-" "probe/{n}"`,
	}, []string{
		`10.12.0.4 - - [14/May/2024:09:12:13 +0000] "GET /items/{n} HTTP/1.1" 503 190 "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
		`10.12.0.4 - - [14/May/2024:09:12:14 +0000] "POST /login?next={n} HTTP/1.1" 401 190 "-" "curl/8.5.0"`,
	}},
	{"postgresql-14-main.log", "2006-01-02 15:04:05.000 UTC", []string{
		` [{n}] LOG:  checkpoint complete: wrote 42 buffers (0.3%); 0 WAL file(s) added, 0 removed, 1 recycled`,
		` [{n}] app@shop LOG:  duration: 12.301 ms  statement: SELECT id, name FROM items WHERE shop_id = 7`,
	}, []string{
		` [{n}] app@shop ERROR:  duplicate key value violates unique constraint "orders_pkey"`,
		` [{n}] app@shop FATAL:  remaining connection slots are reserved for non-replication superuser connections`,
		` [{n}] app@shop ERROR:  canceling statement due to statement timeout`,
		` [{n}] LOG:  could not receive data from client: Connection reset by peer`,
	}},
	{"orders-service.log", "2006-01-02 15:04:05.000", []string{
		`  INFO 1 --- [nio-8080-exec-3] c.e.shop.orders.OrderController          : order {n} accepted`,
		`  INFO 1 --- [   scheduling-1] c.e.shop.orders.Cleanup                  : removed {n} stale carts`,
	}, []string{
		` ERROR 1 --- [nio-8080-exec-7] o.a.c.c.C.[.[.[/].[dispatcherServlet]    : Servlet.service() threw exception java.net.ConnectException: Connection refused (order {n})`,
		`  WARN 1 --- [l-1 housekeeper] com.zaxxer.hikari.pool.HikariPool        : HikariPool-1 - Thread starvation or clock leap detected (housekeeper delta={n}ms).`,
		` ERROR 1 --- [nio-8080-exec-2] c.e.shop.orders.Mailer                   : java.net.UnknownHostException: smtp.example.com: Temporary failure in name resolution (mail {n})`,
		` ERROR 1 --- [nio-8080-exec-2] c.e.shop.orders.Export                   : java.io.IOException: No space left on device while writing export-{n}.csv`,
	}},
	{"redis.log", "1:M 02 Jan 2006 15:04:05.000", []string{
		` * Background saving started by pid {n}`,
		` * DB saved on disk ({n} keys)`,
	}, []string{
		` # WARNING: The TCP backlog setting of 511 cannot be enforced because /proc/sys/net/core/somaxconn is set to the lower value of 128. ({n})`,
		` # Can't save in background: fork: Cannot allocate memory ({n})`,
	}},
	{"mysqld.log", "2006-01-02T15:04:05.000000Z", []string{
		` {n} [Note] [MY-010914] [Server] Aborted connection to db: 'shop' user: 'app' host: '10.12.0.7' (Got an error reading communication packets).`,
	}, []string{
		` {n} [ERROR] [MY-012592] [InnoDB] Operating system error number 2 in a file operation.`,
		` {n} [Warning] [MY-010055] [Server] IP address '10.12.0.7' could not be resolved: Name or service not known`,
	}},
	{"kafka-server.log", "[2006-01-02 15:04:05,000]", []string{
		` INFO [GroupCoordinator 1]: Stabilized group checkout generation {n} (__consumer_offsets-12)`,
	}, []string{
		` WARN [RequestSendThread controllerId=1] Controller 1's connection to broker {n} was unsuccessful (kafka.controller.RequestSendThread) java.io.IOException: Connection failed`,
		` ERROR [ReplicaManager broker=1] Error processing append operation on partition orders-{n} org.apache.kafka.common.errors.NotLeaderOrFollowerException`,
	}},
	{"gunicorn.log", "[2006-01-02 15:04:05 +0000]", []string{
		` [7] [INFO] Booting worker with pid: {n}`,
	}, []string{
		` [7] [CRITICAL] WORKER TIMEOUT (pid:{n})`,
		` [7] [ERROR] Worker (pid:{n}) was sent SIGKILL! Perhaps out of memory?`,
	}},
	{"auth.log", "Jan _2 15:04:05", []string{
		` bastion sshd[{n}]: Accepted publickey for deploy from 192.0.2.14 port 51234 ssh2`,
		` bastion CRON[{n}]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)`,
	}, []string{
		` bastion sshd[{n}]: Failed password for invalid user admin from 198.51.100.7 port 40022 ssh2`,
		` bastion sshd[{n}]: error: kex_exchange_identification: Connection closed by remote host`,
	}},
	{"CBS.log", "2006-01-02 15:04:05", []string{
		`, Info                  CBS    Loaded Servicing Stack v6.1.7601.{n} with Core: cbscore.dll`,
	}, []string{
		`, Error                 CBS    Failed to get next element of session {n} [HRESULT = 0x800f080d - CBS_E_MANIFEST_INVALID_ITEM]`,
	}},
	{"hdfs-datanode.log", "060102 150405", []string{
		` {n} INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_38865049064139660 terminating`,
	}, []string{
		` {n} WARN dfs.DataNode$DataXceiver: 10.251.30.85:50010:Got exception while serving blk_-2918118818249673980 to /10.251.90.64`,
	}},
}
