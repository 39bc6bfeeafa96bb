//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

const twoClusters = `apiVersion: v1
kind: Config
clusters:
- {name: a, cluster: {server: "https://a:6443", certificate-authority: ca.crt, tls-server-name: a}}
- {name: b, cluster: {server: "https://b", insecure-skip-tls-verify: true, proxy-url: "http://proxy:1"}}
users:
- {name: u, user: {client-certificate: u.crt, client-key: u.key}}
- {name: v, user: {tokenFile: token}}
contexts:
- {name: c, context: {cluster: a, user: u, namespace: shop}}
- {name: d, context: {cluster: b, user: v}}
current-context: c
`

func kubeconfigFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"config": twoClusters, "ca.crt": "ca", "u.crt": "cert", "u.key": "key", "token": "t0ken"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type clusterChooser interface {
	AddFlags(set *pflag.FlagSet)
	ToRESTConfig() (*rest.Config, error)
}

// The flags of kubectl select the same as in kubectl.
func TestClusterFlagsAsKubectl(t *testing.T) {
	dir := kubeconfigFolder(t)
	other := filepath.Join(dir, "other")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: 'https://second'}}, {name: z, cluster: {server: 'https://z'}}]\ncurrent-context: d\n"
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, files := range []string{dir + "/config", dir + "/none:" + other + ":" + dir + "/config", dir + "/config::" + other, dir + "/none"} {
		t.Setenv("KUBECONFIG", files)
		for _, line := range []string{
			"", "--context d", "--context none", "--cluster z", "--user v", "--cluster none", "--server https://x --token t -n ns", "--request-timeout 5s",
			"--as x --as-group g --as-group h --as-uid 1 --as-user-extra k=v --as-user-extra k=w --as-user-extra bad", "--insecure-skip-tls-verify --context d", "--certificate-authority " + dir + "/token",
			"--client-certificate " + dir + "/ca.crt --client-key " + dir + "/ca.crt", "--tls-server-name q --disable-compression", "--kubeconfig " + other, "--kubeconfig " + dir + "/none",
		} {
			ours, theirs := newClusterFlags(), genericclioptions.NewConfigFlags(true)
			got, err1 := chosen(t, ours, line)
			want, err2 := chosen(t, theirs, line)
			if (err1 == nil) != (err2 == nil) {
				t.Errorf("%s with %q: error %v, want %v", files, line, err1, err2)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %q:\n%v\nwant\n%v", files, line, got, want)
			}
			namespace1, _, _ := ours.ToRawKubeConfigLoader().Namespace()
			namespace2, _, _ := theirs.ToRawKubeConfigLoader().Namespace()
			if namespace1 != namespace2 {
				t.Errorf("%s with %q: namespace %s, want %s", files, line, namespace1, namespace2)
			}
		}
	}
}

func chosen(t *testing.T, flags clusterChooser, line string) (*rest.Config, error) {
	t.Helper()
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.AddFlags(set)
	if err := set.Parse(strings.Fields(line)); err != nil {
		t.Fatal(err)
	}
	config, err := flags.ToRESTConfig()
	if config != nil && config.Proxy != nil {
		config.Proxy = nil // a function, which no comparison can look into
		config.UserAgent = "with a proxy"
	}
	return config, err
}

// A kubeconfig, and the files that it names, are read within limits of size and time: as the file of the flag, and as one of a
// list.
func TestKubeconfigWithinBounds(t *testing.T) {
	dir := kubeconfigFolder(t)
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large.crt")
	if err := os.WriteFile(large, make([]byte, maxKey+1), 0o600); err != nil {
		t.Fatal(err)
	}
	written := 0
	write := func(text string) string {
		written++
		name := filepath.Join(dir, fmt.Sprint("k", written))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	with := func(file, instead string) string {
		return write(strings.Replace(twoClusters, " "+file, " "+instead, 1))
	}
	laughs := "apiVersion: v1\nkind: Config\na: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("b%d: &a%d [%s]\n", i, i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 10))
	}
	for file, want := range map[string]string{
		pipe: "is a named pipe without a writer", "/dev/zero": "is a device or a socket", dir: "is a folder",
		write(strings.Repeat("#", maxKubeconfig+1)): "is larger than 8192 KiB",
		write(laughs): "its aliases expand to more than 8 MiB",
		write("a: &t " + strings.Repeat("x", 500_000) + "\nb: [" + strings.Repeat("*t,", 5000) + "]\n"): "its aliases expand to more than 8 MiB",
		write("a: [" + strings.Repeat("[],", 1_000_000) + "]\n"):                                        "it has more YAML than is read",
		write("a: &a [*a]\n"):              "anchor",
		write(strings.Repeat("[", 20_000)): "depth",
		with("ca.crt", pipe):               "certificate-authority " + pipe + ": is a named pipe, a device or a socket",
		with("ca.crt", "/dev/zero"):        "certificate-authority /dev/zero: is a named pipe, a device or a socket",
		with("u.crt", pipe):                "client-certificate " + pipe + ": is a named pipe, a device or a socket",
		with("u.key", "/dev/zero"):         "client-key /dev/zero: is a named pipe, a device or a socket",
		with("u.crt", large):               "client-certificate " + large + ": is larger than 1024 KiB",
		write(strings.Replace(strings.Replace(twoClusters, "tokenFile: token", "tokenFile: pipe", 1), "current-context: c", "current-context: d", 1)): "tokenFile " + pipe + ": is a named pipe",
	} {
		for _, list := range []bool{false, true} {
			flags := newClusterFlags()
			t.Setenv("KUBECONFIG", filepath.Join(dir, "none")+":"+file)
			if !list {
				flags.kubeconfig = file
			}
			if err := soon(t, flags); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", file, err, want)
			}
		}
	}
}

// soon returns the error of reading the configuration, which must not take long.
func soon(t *testing.T, flags *clusterFlags) error {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := flags.ToRESTConfig()
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("reading the configuration does not end")
		return nil
	}
}

// A shell passes the output of a command as a pipe: --kubeconfig <(COMMAND). The program reads it once.
func TestKubeconfigOfAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		fmt.Fprint(writer, "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: 'http://a'}}]\ncontexts: [{name: c, context: {cluster: a}}]\ncurrent-context: c\n")
		time.Sleep(100 * time.Millisecond)
		writer.Close()
	}()
	src := newSourceFlags()
	src.cluster.kubeconfig = pipe
	config, err := src.config()
	if err != nil || config.Host != "http://a" || src.clusterName(config) != "c" {
		t.Fatal(config, err)
	}
}
