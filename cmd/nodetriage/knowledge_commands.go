package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/catalog/archive"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/report"
)

const knowledgeHelp = `What nodetriage knows, the pages of causes and the signatures of messages, is part
of the program. Newer knowledge, and that of a team, comes as an archive: one file
with a name, a version and the signature of who made it. A new cause so needs no
new program.

An archive is taken only if the public key fits that you name (--key), or that
knowledge use kept; a file that was changed is refused. Keys are those of
minisign: minisign -G -W makes a pair. What an archive says counts for what every
command tells; its commands are printed and never run, as those of the program.

Every result names the knowledge that it was judged by.`

func newKnowledge() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "knowledge",
		Short: "See, check, use and pack what is known about causes",
		Long:  knowledgeHelp,
		Example: `  nodetriage knowledge show                  # what is in use
  nodetriage knowledge verify acme-3.tar --key acme.pub
  nodetriage knowledge use acme-3.tar --key acme.pub
  nodetriage diagnose --catalog acme-3.tar   # this once
  nodetriage knowledge use --built-in        # as it was`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("knowledge %q is not a command: use show, verify, use or pack", args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newKnowledgeShow(), newKnowledgeVerify(), newKnowledgeUse(), newKnowledgePack())
	return cmd
}

// registerKey adds the flag for the key of an archive.
func registerKey(set *pflag.FlagSet, key *string) {
	set.StringVar(key, "key", "", "take the archive only if this public key `FILE` of minisign fits; none takes it from whomever (default: that of knowledge use)")
}

var knowledgeForms = forms[*report.Knowledge]{text: report.KnowledgeText}

func newKnowledgeShow() *cobra.Command {
	var out outputFlags
	var key string
	cmd := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Show what knowledge has, and how it differs from that of the program",
		Long: `Show what the knowledge in use has, or that of an archive beside the program's own:
its parts, how many causes, symptoms, questions and signatures, and which of them
the program does not have, or has otherwise. -o wide names all.`,
		Example: `  nodetriage knowledge show
  nodetriage knowledge show acme-3.tar --key acme.pub -o wide`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			k, err := knowledgeOf(args, key)
			if err != nil {
				return err
			}
			own, err := catalog.Builtin()
			if err != nil {
				return err
			}
			says, err := signatures.Builtin()
			if err != nil {
				return err
			}
			shown, err := report.NewKnowledge(k.Origins, k.Catalog, own, k.Signatures, says)
			if err != nil {
				return err
			}
			return knowledgeForms.write(cmd.OutOrStdout(), &out, shown)
		},
	}
	registerKey(cmd.Flags(), &key)
	out.register(cmd.Flags(), knowledgeForms.names()...)
	return cmd
}

// knowledgeOf returns the knowledge of the named archive, or the knowledge in use.
func knowledgeOf(args []string, key string) (*ask.Knowledge, error) {
	if len(args) == 0 {
		return (&knowledgeFlags{}).load()
	}
	a, _, err := trusted(args[0], key)
	if err != nil {
		return nil, err
	}
	return ask.NewKnowledge(version, ofArchive(args[0], a))
}

// trusted reads an archive with the named key or the stored one.
func trusted(path, key string) (*archive.Archive, []byte, error) {
	by, err := trustedKey(key)
	if err != nil {
		return nil, nil, err
	}
	return readArchive(path, by)
}

func newKnowledgeVerify() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "See whether an archive is whole, whose it is, and whether it fits the program",
		Long: `See whether an archive is as it was made, who signed it, and whether this program
can use it: it has a format that the program knows, and all that its pages and
signatures name exists.

Exit codes: 0 it is good, 2 it is not, or cannot be read.`,
		Example: `  nodetriage knowledge verify acme-3.tar --key acme.pub`,
		Args:    between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, _, err := trusted(args[0], key)
			if err != nil {
				return err
			}
			if _, err := ask.NewKnowledge(version, ofArchive(args[0], a)); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is good: %s %s, format %d, %s, %s\n", report.Clean(args[0]), a.Name, a.Version, a.Format, whoSigned(a), a.Digest)
			return err
		},
	}
	registerKey(cmd.Flags(), &key)
	return cmd
}

func whoSigned(a *archive.Archive) string {
	switch {
	case a.Checked:
		return "signed by key " + a.SignedBy
	case a.SignedBy != "":
		return "not checked whether key " + a.SignedBy + " signed it"
	}
	return "signed by nobody"
}

func newKnowledgeUse() *cobra.Command {
	var key string
	var builtIn bool
	cmd := &cobra.Command{
		Use:   "use FILE | --built-in",
		Short: "Use an archive from now on, or what is built in alone",
		Long: `Use an archive in every later run, whatever the command: it is checked, and kept
with its key in your folder for settings ($XDG_CONFIG_HOME/nodetriage). The next
one needs no --key if the same key signed it. --built-in forgets both.`,
		Example: `  nodetriage knowledge use acme-3.tar --key acme.pub
  nodetriage knowledge use --built-in`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if builtIn == (len(args) == 1) {
				return usagef("knowledge use: name an archive, or --built-in")
			}
			if builtIn {
				if err := forget(usedFile); err != nil {
					return err
				}
				if err := forget(keyFile); err != nil {
					return err
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "in use: what is built in, alone")
				return err
			}
			by, err := trustedKey(key)
			if err != nil {
				return err
			}
			a, data, err := readArchive(args[0], by)
			if err != nil {
				return err
			}
			if _, err := ask.NewKnowledge(version, ofArchive(args[0], a)); err != nil {
				return err
			}
			if err := use(data, by); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "in use from now on: %s %s, %s, %s\nnodetriage knowledge use --built-in goes back\n", a.Name, a.Version, whoSigned(a), a.Digest)
			return err
		},
	}
	registerKey(cmd.Flags(), &key)
	cmd.Flags().BoolVar(&builtIn, "built-in", false, "use what is built in alone, as before any archive")
	return cmd
}

func newKnowledgePack() *cobra.Command {
	var m archive.Manifest
	var to, sign string
	var force bool
	cmd := &cobra.Command{
		Use:   "pack DIR -o FILE --name NAME --version VERSION",
		Short: "Make an archive of a folder of knowledge",
		Long: `Make an archive of a folder that has what --catalog reads: causes/*.md,
questions/*.md, symptoms.yaml and signatures/*.yaml. It is checked first. The same
files give the same bytes.`,
		Example: `  minisign -G -W -s acme.key -p acme.pub     # once; acme.pub is for everybody
  nodetriage knowledge pack ours/ -o acme-3.tar --name acme --version 3 --sign acme.key`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" || m.Name == "" || m.Version == "" {
				return usagef("knowledge pack: say -o FILE, --name and --version")
			}
			signer, err := readSigner(sign)
			if err != nil {
				return err
			}
			dir := ask.Addition{Path: args[0], Origin: catalog.Origin{Name: args[0]}, Files: os.DirFS(args[0]), Complete: m.Complete}
			if _, err := ask.NewKnowledge(version, dir); err != nil {
				return err
			}
			data, err := archive.Write(m, dir.Files, signer)
			if err != nil {
				return usagef("pack %s: %w", args[0], err)
			}
			if err := atomicfile.WriteBytes(to, atomicfile.Options{Replace: force, Mode: atomicfile.Public}, data); err != nil {
				return badUsage(mayForce(err))
			}
			a, err := archive.Read(data, nil)
			if err != nil {
				return err
			}
			by := "signed by nobody"
			if signer != nil {
				by = "signed by key " + a.SignedBy
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s %s, format %d, %s, %s\n", report.Clean(to), a.Name, a.Version, a.Format, by, a.Digest)
			return err
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "write the archive to this `FILE`")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file if it exists already")
	cmd.Flags().StringVar(&m.Name, "name", "", "its `NAME`: letters, digits, dots and dashes")
	cmd.Flags().StringVar(&m.Version, "version", "", "its `VERSION`: what results name")
	cmd.Flags().StringVar(&sign, "sign", "", "sign it by this private key `FILE` of minisign, which has no password")
	cmd.Flags().BoolVar(&m.Complete, "complete", false, "it is all knowledge, and its signatures stand in place of those of the program; pages of the program that it lacks stay")
	return cmd
}

// readSigner reads a private key; nil if none is named.
func readSigner(file string) (*archive.Signer, error) {
	if file == "" {
		return nil, nil
	}
	text, err := readFile(file, maxKey)
	if err != nil {
		return nil, usagef("read private key %s: %w", file, err)
	}
	signer, err := archive.ParseSigner(text)
	if err != nil {
		return nil, usagef("read private key %s: %w", file, err)
	}
	return signer, nil
}
