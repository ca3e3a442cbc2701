// Starts recalld by _served.py, for scripts in JavaScript.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Calls `use` with the address and the keys of two users, and stops the server afterwards. */
export async function served(use, model) {
  const script = fileURLToPath(new URL("_served.py", import.meta.url));
  const server = spawn(process.env.PYTHON ?? "python3", model ? [script, model] : [script], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: server.stdout });
    const { value } = await lines[Symbol.asyncIterator]().next();
    await use(JSON.parse(value));
  } finally {
    server.stdin.end();
    await new Promise((done) => server.once("exit", done));
  }
}

/** Calls `use` with the address of the model that plays a fixed part. */
export async function model(use) {
  const script = fileURLToPath(new URL("model.py", import.meta.url));
  const process_ = spawn(process.env.PYTHON ?? "python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: process_.stdout });
    const { value } = await lines[Symbol.asyncIterator]().next();
    await use(value.trim());
  } finally {
    process_.stdin.end();
  }
}
