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
	"github.com/nodetriage/nodetriage/wording"
)

const knowledgeHelp = `Manage the knowledge of nodetriage: pages of causes, and message patterns. The
knowledge is built in. You can add newer knowledge, or the knowledge of your
team, as an archive: a signed file with a name and a version. New causes do not
require a new release of nodetriage.

nodetriage verifies an archive with the public key of --key, or with the key
that "nodetriage knowledge use" stored. It rejects a modified archive. Keys are
minisign keys (minisign -G -W creates a pair). The pages of an archive contain
shell commands for checks and fixes. nodetriage only prints these commands and
never runs them. This also applies to the built-in pages.

Every result names the knowledge that was used.`

func newKnowledge() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "knowledge",
		Short: "Manage the catalog of causes and message patterns",
		Long:  knowledgeHelp,
		Example: `  nodetriage knowledge show                  # the knowledge in use
  nodetriage knowledge verify acme-3.tar --key acme.pub
  nodetriage knowledge use acme-3.tar --key acme.pub
  nodetriage diagnose --catalog acme-3.tar --catalog-key acme.pub  # for one run
  nodetriage knowledge use --built-in        # the built-in knowledge again`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return hintf(wording.OneOf(args[0], []string{"show", "verify", "use", "pack"}), "unknown command %q for knowledge", args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newKnowledgeShow(), newKnowledgeVerify(), newKnowledgeUse(), newKnowledgePack())
	return cmd
}

// registerKey adds the flag for the key of an archive.
func registerKey(set *pflag.FlagSet, key *string) {
	set.StringVar(key, "key", "", "`FILE` Public key (minisign) that verifies the archive, or \"none\" to skip the verification. Default: the key that \"nodetriage knowledge use\" stored. If no key is stored, --key is required.")
}

var knowledgeForms = forms[*report.Knowledge]{text: report.KnowledgeText}

func newKnowledgeShow() *cobra.Command {
	var out outputFlags
	var key string
	cmd := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Show the knowledge, and how it differs from the built-in knowledge",
		Long: `Show the knowledge in use, or the archive FILE: the number of causes, symptoms,
questions and message patterns, and how many of them are new or differ from the
built-in knowledge. -o wide lists their names. For the knowledge in use, the
output also names its parts: the built-in knowledge and the added archive.`,
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
		Short: "Verify an archive: its minisign signature and its compatibility",
		Long: `Verify that an archive is unmodified, and that this version of nodetriage can
use it: its format is supported, and every reference in its pages and message
patterns points to something that exists. The output also shows who signed the
archive. With --key none, the signature is not verified.

Exit codes:

  0  valid
  2  invalid or unreadable`,
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
	return "not signed"
}

func newKnowledgeUse() *cobra.Command {
	var key string
	var builtIn bool
	cmd := &cobra.Command{
		Use:   "use FILE | --built-in",
		Short: "Set the archive for all later runs, or remove it",
		Long: `Use an archive in all later runs of all commands. The archive is verified and
stored with its key in $XDG_CONFIG_HOME/nodetriage, and replaces an archive that
was stored before. You can omit --key if the new archive is signed with the key
that is already stored. --built-in removes the stored archive and its key.`,
		Example: `  nodetriage knowledge use acme-3.tar --key acme.pub
  nodetriage knowledge use --built-in`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if builtIn == (len(args) == 1) {
				return hintf("nodetriage knowledge use FILE, or --built-in", "knowledge use: one of an archive and --built-in is required")
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
	cmd.Flags().BoolVar(&builtIn, "built-in", false, "Use only the built-in knowledge again.")
	return cmd
}

func newKnowledgePack() *cobra.Command {
	var m archive.Manifest
	var to, sign string
	var force bool
	cmd := &cobra.Command{
		Use:   "pack DIR -o FILE --name NAME --version VERSION",
		Short: "Create an archive from a folder",
		Long: `Create an archive from a folder. The folder has the same layout as for
--catalog: causes/*.md, questions/*.md, symptoms.yaml and signatures/*.yaml. The
content is checked first. The build is reproducible: the same files give an
identical archive.`,
		Example: `  minisign -G -W -s acme.key -p acme.pub     # once; publish acme.pub
  nodetriage knowledge pack ours/ -o acme-3.tar --name acme --version 3 --sign acme.key`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" || m.Name == "" || m.Version == "" {
				return hintf("nodetriage knowledge pack DIR -o FILE --name NAME --version VERSION", "knowledge pack: -o, --name and --version are required")
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
				return mayForce(err)
			}
			a, err := archive.Read(data, nil)
			if err != nil {
				return err
			}
			by := "not signed"
			if signer != nil {
				by = "signed by key " + a.SignedBy
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s %s, format %d, %s, %s\n", report.Clean(to), a.Name, a.Version, a.Format, by, a.Digest)
			return err
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "`FILE` Write the archive to this file. Required.")
	cmd.Flags().BoolVar(&force, "force", false, "Replace an existing file.")
	cmd.Flags().StringVar(&m.Name, "name", "", "`NAME` Name of the archive: letters, digits, dots and dashes. Required.")
	cmd.Flags().StringVar(&m.Version, "version", "", "`VERSION` Version of the archive, as shown in results. Required.")
	cmd.Flags().StringVar(&sign, "sign", "", "`FILE` Sign the archive with this minisign private key, which must have no password. Without --sign, users of the archive must pass --key none (commands of knowledge) or --catalog-key none (other commands).")
	cmd.Flags().BoolVar(&m.Complete, "complete", false, "Turn off the built-in message patterns for the users of this archive: only the patterns of the archive apply. The built-in pages remain in use.")
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
