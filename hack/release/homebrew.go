package main

import (
	"fmt"
	"strings"
)

// homebrew is the formula for macOS and Linux, for a tap.
func homebrew(version string, archives []archive) string {
	var b strings.Builder
	fmt.Fprintf(&b, `class Nodetriage < Formula
  desc %q
  homepage %q
  version %q
  license "Apache-2.0"
`, short, page, version)
	for _, system := range []struct{ goos, block string }{{"darwin", "on_macos"}, {"linux", "on_linux"}} {
		of := on(archives, system.goos)
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n  %s do\n", system.block)
		for i, a := range of {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "    on_%s do\n      url %q\n      sha256 %q\n    end\n", map[string]string{"amd64": "intel", "arm64": "arm"}[a.goarch], url(version, a.file), a.sha256)
		}
		b.WriteString("  end\n")
	}
	b.WriteString(`
  def install
    bin.install "nodetriage"
    bin.install_symlink "nodetriage" => "kubectl-nodetriage"
    bin.install_symlink "nodetriage" => "kubectl_complete-nodetriage"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/nodetriage.bash" => "nodetriage"
    fish_completion.install "completions/nodetriage.fish"
    zsh_completion.install "completions/_nodetriage"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/nodetriage version")
    assert_match "runtime-hung", shell_output("#{bin}/nodetriage diagnose --example=runtime-hang", 3)
  end
end
`)
	return b.String()
}
