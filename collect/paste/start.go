package paste

import "strings"

// starter returns the reader for the output that a line starts, or nil.
type starter func(p *page, l line) reader

// each is a reader without special handling of its end.
type each func(l line) bool

func (f each) take(l line) bool { return f(l) }
func (f each) close(ending)     {}

// done is returned by starters that need only one line.
var done reader = each(func(line) bool { return false })

// tableHeads are the first words of the headers of tables.
const tableHeads = "NAMESPACE LAST LASTSEEN FIRSTSEEN CONTAINER POD CERTIFICATE UNIT"

// starts maps the first word of a line (up to a space, colon, equals sign or parenthesis) to starters. dismiss uses its keys too.
var starts = byWord(map[string][]starter{
	"NAME":     {startTable, startSwaps},
	tableHeads: {startTable},

	"Name Roles Role Labels Taints Conditions Addresses Capacity Allocatable System Non-terminated Allocated Events": {startDescription},
	"Unschedulable Lease State Last Containers Init Tolerations Node-Selectors QoS Kernel Kubelet Container OS Node": {startDescription},
	"Type FirstSeen Resource CPU Namespace Normal Warning":                                                           {startDescription},
	"Ready MemoryPressure DiskPressure PIDPressure OutOfDisk NetworkUnavailable":                                     {startDescription},

	"Filesystem": {startDF}, "total": {startFree}, "Module": {startModules}, "Filename": {startSwaps},
	"Unit": {startUnit}, "Active": {startUnitLine, startSockets}, "Loaded": {startUnitLine},
	"FATA[0000] FATA[0001] FATA[0002] FATA[0004] FATA[0005] FATA[0010] FATA[0020] time Cannot error": {startRuntimeError},
	"notBefore notAfter subject issuer Certificate Validity Not Issuer Subject":                      {startCertificate},
	"default blackhole unreachable prohibit":                                                         {startRoute}, "Destination": {startRouteTable},
	"ls": {startMissingDir},
	"open max core pending file stack virtual cpu data POSIX real-time scheduling pipe": {startLimit},
	"Local Universal NTP Network Timezone RTC Reference Leap System":                    {startClock},
	"State Netid Proto":                {startSockets},
	"USER UID PID F S":                 {startProcesses},
	"Server Host ; ;; ** *** nslookup": {startLookup},
	"kubelet_pleg_last_seen_seconds kubelet_pleg_discard_events kubelet_pleg_relist_duration_seconds_sum":      {startKubeletMetrics},
	"kubelet_pleg_relist_duration_seconds_count kubelet_pleg_relist_interval_seconds_sum kubelet_running_pods": {startKubeletMetrics},
	"ok":                                 {startKubeletHealth},
	"JOB No":                             {startJobs},
	"0 124 rc exit code status ret real": {startTimedOut}, `^C ^Z ^\`: {startInterrupted},
	"curl nc Ncat Connection UNKNOWN telnet wget ping": {startConnection}, "PING": {startPing},
})

// shaped are the starters for lines without a fixed first word. Each starts with its cheapest test.
var shaped = []starter{
	startUnit, startLink, startRoute, startSysctl, startMount, startTaints, startListedEvent, startBareRow,
	startLoose, startLimit, startLookup, startConnection, startPodCount, startPodsByNode,
}

// outputs are the readers for the output of a command. A nil reader: the command only gives the context of the next tables and
// descriptions.
var outputs = map[string]func(p *page, c *command) reader{
	"kubectl": nil, "docker": nil, "nerdctl": nil, "podman": nil, "kubeadm": nil, "openssl": nil, "free": nil, "mount": nil,
	"route": nil, "timedatectl": nil, "chronyc": nil, "nslookup": nil, "dig": nil, "host": nil, "getent": nil, "ping": nil,
	"nc": nil, "ncat": nil, "telnet": nil, "service": nil, "ifconfig": nil, "journalctl": nil, "dmesg": nil, "ssh": nil,
	"minikube": nil, "stat": nil, "busctl": nil, "exit": nil, "logout": nil, "tee": nil, "echo": nil, "vi": nil, "vim": nil, "nano": nil,
	"df": outputDF, "systemctl": outputSystemctl, "crictl": outputCrictl, "lsmod": outputLsmod, "ip": outputIP,
	"ls": outputLS, "ll": outputLS, "cat": outputCat, "sysctl": outputSysctl, "ulimit": outputUlimit, "date": outputDate,
	"swapon": outputSwapon, "du": outputSizes, "find": outputSizes, "ps": outputPS, "ss": outputSS, "netstat": outputSS, "curl": outputCurl, "wget": outputCurl,
}

// byWord splits keys of several words and joins their starters.
func byWord(groups map[string][]starter) map[string][]starter {
	out := map[string][]starter{}
	for words, list := range groups {
		for _, w := range strings.Fields(words) {
			out[w] = append(out[w], list...)
		}
	}
	return out
}

// start returns the reader for the output that the line starts.
func (p *page) start(l line) reader {
	for _, s := range starts[firstWord(l.text)] {
		if r := s(p, l); r != nil {
			return r
		}
	}
	for _, s := range shaped {
		if r := s(p, l); r != nil {
			return r
		}
	}
	return nil
}

func firstWord(text string) string {
	text = strings.TrimLeft(text, " \t")
	if i := strings.IndexAny(text, " \t:=("); i >= 0 {
		return text[:i]
	}
	return text
}

// startLoose reads table rows of a missing description: events, and conditions of any type.
func startLoose(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	if !isEventRow(text) && !isConditionRow(text) {
		return nil
	}
	return startDescription(p, l)
}
