// node by_oauth.mjs URL: connects with nothing but the URL, calls, goes on after its access token has stopped working,
// and prints what it got, as JSON.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url] = process.argv.slice(2);
let arrived;
const code = new Promise((resolve) => (arrived = resolve));
const listener = createServer((request, response) => {
  arrived(new URL(request.url, "http://127.0.0.1").searchParams.get("code"));
  response.end("You can close this page.");
});
await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
const callback = `http://127.0.0.1:${listener.address().port}/callback`;

const kept = {};
const provider = {
  redirectUrl: callback,
  clientMetadata: { client_name: "by-oauth", redirect_uris: [callback], token_endpoint_auth_method: "none" },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: (address) => void execFileSync(process.env.BROWSER, [address.href]),
};
const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });

const first = transport();
try {
  await new Client({ name: "by-oauth", version: "1.0.0" }).connect(first);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  await first.finishAuth(await code);
}
listener.close();

const client = new Client({ name: "by-oauth", version: "1.0.0" });
await client.connect(transport());
const { tools } = await client.listTools();
const ask = () => client.callTool({ name: "retrieve_memory", arguments: { prompt: "Who owns billing?" } });
const answer = await ask();
const before = { ...kept.tokens };
kept.tokens = { ...kept.tokens, access_token: "no-longer-valid" };
const again = await ask();
const refreshed = kept.tokens.refresh_token !== before.refresh_token;
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), answer, again, refreshed }));
await client.close();
process.exit(0);
