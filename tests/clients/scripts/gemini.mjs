// Signs in as Gemini CLI's `/mcp auth` does, with the class that it does it by; its chat would want a model.
// Prints the access token.
import { readFileSync, readdirSync } from "node:fs";
import { Readable } from "node:stream";

const [url, bundle] = process.argv.slice(2);
const file = readdirSync(bundle).find(
  (name) => name.startsWith("chunk-") && /^ {2}MCPOAuthProvider,$/m.test(readFileSync(`${bundle}/${name}`, "utf8")),
);
const { MCPOAuthProvider } = await import(`${bundle}/${file}`);
// It asks whether it may open the browser.
Object.defineProperty(process, "stdin", { value: Readable.from(["y\n"]) });
let kept = null;
const storage = {
  saveToken: async (serverName, token, clientId, tokenUrl, mcpServerUrl) => {
    kept = { serverName, token, clientId, tokenUrl, mcpServerUrl, updatedAt: Date.now() };
  },
  getCredentials: async () => kept,
  isTokenExpired: (token) => token.expiresAt < Date.now(),
  deleteCredentials: async () => {
    kept = null;
  },
};
const gemini = new MCPOAuthProvider(storage);
await gemini.authenticate("pam", { enabled: true }, url);
kept.token.expiresAt = Date.now() - 1;
console.log(await gemini.getValidToken("pam", { clientId: kept.clientId }));
process.exit(0);
