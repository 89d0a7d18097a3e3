// node by_key.mjs URL AUTHORIZATION: connects with a static header and prints what it got, as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, authorization] = process.argv.slice(2);
const client = new Client({ name: "by-key", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: authorization } } }),
);
const { tools } = await client.listTools();
const ask = (args) => client.callTool({ name: "retrieve_memory", arguments: args });
const answer = await ask({ prompt: "Who owns billing?" });
const refused = await ask({ prompt: "Who owns billing?", depth: 3 });
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), answer, refused }));
await client.close();
