import { type KeptTable, markdown } from './table.ts';

/** The table for people, with what its columns mean. */
export function document(table: KeptTable): string {
  return `# What works in which host

Each of these hosts was run without a screen against this server and its embedded catalogue, with a model on the same machine that answers scripted calls: a search by name, a read, a sheet of pictures, an error, a long answer, a sign-in, an upload, a call that is interrupted, a host that is killed. \`npm run test:hosts\` does it again, writes this page with \`-- --keep\`, and fails where something is worse than the last time. It needs the npm registry, for the hosts; \`npm test\` does not run it.

Never run: Claude Desktop, Cursor, VS Code, Zed, Windsurf and LM Studio. They need a screen. Since the model is scripted, this page says what arrives at a model, and not how well one uses it.

${markdown(table)}

- **Protocol**: the revision that the host speaks with this server. Those of 2026-07-28 name it in each request; the others begin with \`initialize\`. All that is in this table works in both.
- **Tools that reach the model**: *held back* means that the model sees names alone until it searches; *found by words* is how often the right tool came first or second when it was searched in a person's words.
- **Instructions** are what the server says about itself as a whole. Where a host passes none on, each tool's own description has to do.
- **Schemas**: what a host takes out of the description of the arguments. The server checks all of it whether the model was told or not, and says what would be right.
- **Result seen**: *twice* costs tokens and nothing else.
- **Pictures**: *as base64 text* means that the model gets letters instead of a picture, and pays for them; let it write a page instead (\`page: true\`), and open that.
- **Roots** are the folders that the host opens for servers. Where it says *no*, name the folders in \`ARTWORK_UPLOAD_ROOTS\`; \`.\` is the one that the host works in.
- **Sign-in**: the address always stands in the answer. Hosts of 2025-11-25 and earlier that can show it themselves are asked to (*URL elicitation*), and run without a screen they decline. Those of 2026-07-28 are not asked: the call would have to wait for it.
- **Call interrupted**, **End**: no host left a server behind, unless it says so.
`;
}
