#!/usr/bin/env node
// Starts the program of the package for this platform.
const { spawnSync } = require("node:child_process");

const name = `@recalld/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/recalld${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(
    `error: there is no package of recalld for ${process.platform}-${process.arch}, or ${name} was not installed\n` +
      "hint: install with optional dependencies, or build from source with cargo",
  );
  process.exit(1);
}
const run = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`error: cannot start ${program}: ${run.error.message}`);
  process.exit(1);
}
// A signal that ended the program ends this one, too.
if (run.signal) process.kill(process.pid, run.signal);
process.exit(run.status ?? 1);
