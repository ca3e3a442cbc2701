// Passes requests on to a recalld server with a key added, for test suites that cannot send one.
//
// node with_key.mjs http://127.0.0.1:7077 rk_YOUR_KEY 7078

import { createServer, request } from "node:http";

const [url, key, port] = process.argv.slice(2);
const { hostname, port: to } = new URL(url);

createServer((asked, answer) => {
  const headers = { ...asked.headers, authorization: `Bearer ${key}` };
  const { method, url: path } = asked;
  const passed = request({ hostname, port: to, method, path, headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  answer.on("close", () => passed.destroy());
  asked.pipe(passed);
}).listen(Number(port), "127.0.0.1");
