import { type KeptTable, markdown } from './table.ts';

/** The table for people, with what its columns mean. */
export function document(table: KeptTable): string {
  return `# What works in which host

Each of these hosts was run without a screen against this server and its embedded catalogue, with a model on the same machine that answers scripted calls: a search by name, a read, a sheet of pictures, an error, a long answer, a sign-in, an upload, a call that is interrupted, a host that is killed. \`npm run test:hosts\` does it again, writes this page with \`-- --keep\`, and fails where something is worse than the last time. It needs the npm registry, for the hosts; \`npm test\` does not run it.

Never run: Claude Desktop, Cursor, VS Code, Zed, Windsurf and LM Studio. They need a screen. Since the model is scripted, this page says what arrives at a model, and not how well one uses it.

${markdown(table)}

## What the columns mean

- **Protocol**: the revision that the host speaks with this server. Those of 2026-07-28 name it in each request; the others begin with \`initialize\`. All that is in these tables works in both.
- **Tools that reach the model**: *held back* means that the model sees names alone until it searches; *found by words* is how often the right tool came first or second when it was searched in a person's words.
- **Instructions** are what the server says about itself as a whole. Where a host passes none on, each tool's own description has to do.
- **Schemas**: what a host takes out of the description of the arguments. The server checks all of it whether the model was told or not, and says what would be right.
- **Result seen**: *twice* costs tokens and nothing else.
- **Pictures**: *as base64 text* means that the model gets letters instead of a picture, and pays for them; let it write a page instead (\`page: true\`), and open that. Two *yes* hold only for the model that was played: the AI SDK with Anthropic's provider (with OpenAI's, \`@ai-sdk/openai\` 3.0.141, the picture arrives as a file input and not as a picture), and Qwen Code with \`qwen3-vl-plus\` (with a model whose name does not say that it sees, none arrived). Copilot CLI passes on none. There too, \`page: true\` is what serves.
- **Long answer**: what a host leaves out is lost to the model, and not told to it. Of a list of 64 episodes Cline shows 33: it keeps 8,000 characters of the answer, which stands twice in them. Ask for fewer at a time (\`limit: 20\`).
- **Roots** are the folders that the host opens for servers. Where it says *no*, name the folders in \`ARTWORK_UPLOAD_ROOTS\`; \`.\` is the one that the host works in.
- **Sign-in**: the address always stands in the answer. Hosts of 2025-11-25 and earlier that can show it themselves are asked to (*URL elicitation*), and run without a screen they decline. Those of 2026-07-28 are not asked: the call would have to wait for it. Behind an HTTP bridge that starts a server for each request (such as supergateway in its stateless mode) a sign-in can't finish: its server ends with the answer, and nothing is there when the browser comes back. \`connect_account\` says so there. Run \`artwork-mcp connect\` in a terminal, or let the bridge keep one server.
- **Call interrupted**, **End**: no host left a server behind, unless it says so.
`;
}
