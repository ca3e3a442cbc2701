# Not tried: the project has no macOS machine. It installs the program of a release archive.
class Recalld < Formula
  desc "Memory server for LLM agents"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_linux do
    on_intel do
      url "{{release_url}}/recalld-{{version}}-x86_64-linux.tar.gz"
      sha256 "{{archive_sha256}}"
    end
  end

  def install
    bin.install "recalld"
    generate_completions_from_executable(bin/"recalld", "completions")
  end

  service do
    run [opt_bin/"recalld", "serve"]
    keep_alive true
  end

  test do
    ENV["HOME"] = testpath
    system bin/"recalld", "add", "I prefer window seats"
    assert_match "window", shell_output("#{bin}/recalld search seats")
  end
end
