// Starts recalld and its model by served.py, for clients in JavaScript.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Calls `use` with the address and the key, and stops the server afterwards. */
export async function served(binary, use) {
  const script = fileURLToPath(new URL("served.py", import.meta.url));
  const server = spawn("python3", [script, binary], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const lines = createInterface({ input: server.stdout });
    const { value } = await lines[Symbol.asyncIterator]().next();
    await use(JSON.parse(value));
  } finally {
    server.stdin.end();
    await new Promise((done) => server.once("exit", done));
  }
}
