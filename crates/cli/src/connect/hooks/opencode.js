// Gives opencode what recalld remembers, and lets recalld learn from what the user says. Whatever
// goes wrong, the session goes on as if this plugin were not there.
import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const command = "@COMMAND@"
// Longer than recalld takes at the most to answer.
const PATIENCE_MS = 1000

export const Recalld = async ({ directory }) => {
  const begun = new Set()

  // Runs a hook, and gives what it wants the model to know, or nothing.
  const hook = (event, session, prompt) =>
    new Promise((resolve) => {
      try {
        const child = spawn(command[0], [...command.slice(1), "hook", event, "-", "--agent", "opencode"], {
          stdio: ["pipe", "pipe", "ignore"],
        })
        let told = ""
        const end = setTimeout(() => resolve(""), PATIENCE_MS)
        const done = (text) => {
          clearTimeout(end)
          resolve(text)
        }
        child.on("error", () => done(""))
        child.stdin.on("error", () => {})
        child.stdout.on("data", (part) => (told += part))
        child.on("close", () => {
          try {
            done(JSON.parse(told).hookSpecificOutput.additionalContext ?? "")
          } catch {
            done("")
          }
        })
        child.stdin.end(JSON.stringify({ session_id: session, cwd: directory, prompt }))
      } catch {
        resolve("")
      }
    })

  // Lets recalld learn from what was said. opencode may end at once, so that this neither waits nor
  // depends on it: the input is a file, and the process goes on by itself.
  const learn = (session) => {
    try {
      const folder = mkdtempSync(join(tmpdir(), "recalld-"))
      const file = join(folder, "event.json")
      writeFileSync(file, JSON.stringify({ session_id: session, cwd: directory }), { mode: 0o600 })
      const input = openSync(file, "r")
      const words = [...command.slice(1), "hook", "session-end", "-", "--agent", "opencode"]
      const child = spawn(command[0], words, { stdio: [input, "ignore", "ignore"], detached: true })
      child.on("error", () => {})
      child.unref()
      closeSync(input)
      rmSync(folder, { recursive: true, force: true })
    } catch {}
  }

  return {
    "chat.message": async (input, output) => {
      const said = output.parts.find((part) => part.type === "text" && !part.synthetic)
      if (!said) return
      const told = []
      if (!begun.has(input.sessionID)) {
        begun.add(input.sessionID)
        told.push(await hook("session-start", input.sessionID, ""))
      }
      told.push(await hook("prompt", input.sessionID, said.text))
      const text = told.filter(Boolean).join("\n")
      if (text) {
        const id = `prt_${Date.now().toString(16)}${Math.random().toString(16).slice(2, 14)}recalld`
        output.parts.push({ ...said, id, text, synthetic: true })
      }
      learn(input.sessionID)
    },
    "experimental.session.compacting": async (input) => {
      await hook("pre-compact", input.sessionID, "")
      begun.delete(input.sessionID)
    },
  }
}
