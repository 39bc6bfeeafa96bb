package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
	"github.com/nodetriage/nodetriage/mcp"
	"github.com/nodetriage/nodetriage/triage/ignore"
)

const mcpHelp = `Serve AI agents over the Model Context Protocol (MCP). Instead of raw kubectl
output, an agent gets a verdict with its evidence in a few thousand tokens.
For a drain or
an upgrade, the agent gets a plan that is computed from the cluster.

Nine tools: triage_cluster, triage_node, triage_text, explain_cause,
forecast_pods, plan_drain, check_risks, plan_upgrade and verify_node. All of
them are read-only. Plans are returned, never executed.

By default, mcp serves one client over standard input and standard output.
--listen serves several clients over HTTP (streamable HTTP, path /) on a
loopback address. These clients must send an access token in the header
"Authorization: Bearer". The token is read from --token-file, or from the
environment variable NODETRIAGE_MCP_TOKEN. If neither is set, mcp creates a
token and prints it on standard error.

An answer has at most 6000 tokens of a language model (counted as 3.5 bytes
each). If there is more, the answer contains a cursor to get the rest. Text from
a cluster or a log is only in fields named "untrusted". Secrets are redacted.
With --hide-names, answers contain aliases, and tools accept aliases.

With -f, the tools read saved evidence instead of the cluster.

docs/agents.md has the configuration for several clients.

Exit codes:

  0  the client has closed the connection
  1  internal error
  2  bad usage or unreadable input`

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	listen, tokenFile string
	timeout           time.Duration
	src               *sourceFlags
	know              knowledgeFlags
	quiet             quietFlags
}

func (f *mcpFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.listen, "listen", "", "`ADDRESS` Serve HTTP on this loopback address and port, such as 127.0.0.1:8765, instead of standard input and output.")
	set.StringVar(&f.tokenFile, "token-file", "", "`FILE` With --listen: file with the token that clients must send.")
	set.DurationVar(&f.timeout, "answer-timeout", mcp.DefaultTimeout, "`DURATION` Time limit of one answer.")
	f.know.register(set)
	f.src.register(set)
	f.src.hide.register(set)
	f.src.cloud.register(set)
	f.quiet.register(set)
}

func newMCP() *cobra.Command {
	f := mcpFlags{src: newSourceFlags()}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve AI agents over the Model Context Protocol (read-only)",
		Long:  mcpHelp,
		Example: `  nodetriage mcp                              # for a client that starts it
  nodetriage mcp --context prod --hide-names  # without real names
  nodetriage mcp -f bundle.tar.gz             # about saved evidence
  nodetriage mcp --listen 127.0.0.1:8765 --token-file token`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := f.options(cmd)
			if err != nil {
				return err
			}
			if f.listen == "" {
				in, out := cmd.InOrStdin(), cmd.OutOrStdout()
				return mcp.Stdio(cmd.Context(), mcp.New(opt), io.NopCloser(in), keptOpen{out})
			}
			return f.serve(cmd, opt)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// keptOpen is a writer that stays open.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// options checks the flags and returns the options of the server. The knowledge is loaded at the first question, so that the
// first answer to a client comes at once.
func (f *mcpFlags) options(cmd *cobra.Command) (mcp.Options, error) {
	opt := mcp.Options{Version: version, HideNames: f.src.hide.on, Timeout: f.timeout}
	switch {
	case f.tokenFile != "" && f.listen == "":
		return opt, hintf("add --listen", "--token-file requires --listen")
	case f.timeout <= 0:
		return opt, hintf("use a duration like 2m", "invalid value %q for --answer-timeout", f.timeout)
	case slices.Contains(f.src.files, "-"):
		return opt, hintf("save it to a file first", "-f - cannot be used: standard input is the connection to the client")
	}
	at, err := f.src.time()
	if err != nil {
		return opt, err
	}
	if err := f.src.hide.check(); err != nil {
		return opt, err
	}
	source := f.src.source(cmd)
	if live, ok := source.(ask.Cluster); ok {
		live.KeepPart = false // a cancelled question has no answer
		source = live
	}
	opt.Knowledge = sync.OnceValues(f.know.load)
	opt.From = func() (ask.From, error) {
		k, err := opt.Knowledge()
		return ask.From{Source: source, Knowledge: k, At: at, ShowSecrets: f.src.secrets}, err
	}
	if len(f.quiet.files) > 0 {
		opt.Exceptions = func(k *ask.Knowledge) (*ignore.List, error) { return f.quiet.read(k) }
	}
	if f.src.hide.on && f.src.hide.key != "" {
		opt.KeepNames = func(names *anonymize.Names) error {
			err := f.src.hide.keep(names)
			f.src.hide.force = true // the list grows with each reading
			return err
		}
	}
	return opt, nil
}

// serve serves HTTP on a loopback address.
func (f *mcpFlags) serve(cmd *cobra.Command, opt mcp.Options) error {
	token, made, err := f.token()
	if err != nil {
		return err
	}
	at, err := (&net.ListenConfig{}).Listen(cmd.Context(), "tcp", f.listen)
	if err != nil {
		return badUsage(fmt.Errorf("--listen: %w", err))
	}
	defer at.Close()
	if !mcp.Loopback(at.Addr()) {
		return hintf("use 127.0.0.1:PORT; to reach it from elsewhere, forward the port with ssh", "--listen %s is not a loopback address", f.listen)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "nodetriage: serving MCP on http://%s/\n", at.Addr())
	if made {
		fmt.Fprintf(cmd.ErrOrStderr(), "nodetriage: token of this run: %s\n", token)
	}
	return mcp.HTTP(cmd.Context(), mcp.New(opt), at, token)
}

// maxToken limits the file of a token.
const maxToken = 4 << 10

// token returns the token of the flags or of the environment, or makes one.
func (f *mcpFlags) token() (token string, made bool, err error) {
	switch {
	case f.tokenFile != "":
		data, err := readFile(f.tokenFile, maxToken)
		if err != nil {
			return "", false, usagef("read --token-file %s: %w", f.tokenFile, err)
		}
		token = strings.TrimSpace(string(data))
	case os.Getenv("NODETRIAGE_MCP_TOKEN") != "":
		token = os.Getenv("NODETRIAGE_MCP_TOKEN")
	default:
		return strings.ToLower(rand.Text()), true, nil
	}
	if err := mcp.CheckToken(token); err != nil {
		return "", false, badUsage(err)
	}
	return token, false, nil
}
