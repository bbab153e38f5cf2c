// docs/install.md: how each host is told of the server, from one source.

/** @typedef {import('./packages.mjs').Source} Source */

/**
 * @typedef {object} Launch how a host starts the server
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Readonly<Record<string, string>>} env
 */

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
export function installPage(source, manifest) {
  const posix = built(source, manifest, 'posix');
  const windows = built(source, manifest, 'windows');
  const { name, version } = manifest;
  const tarball = `${name}-${version}.tgz`;
  return `<!-- Written by npm run packages from packaging/source.json. -->
# Adding ${source.title} to your host

You need Node ${manifest.engines.node.replace('>=', '')} or later, and no account. [Settings](settings.md) lists what you can set. [Hosts](hosts.md) says which hosts were run. Claude Desktop, Cursor, VS Code, Zed, Windsurf and LM Studio were not: what this page says of them follows their documentation.

## Three ways to get it
1. **From a checkout**: \`npm ci && npm run build\`. Then name \`${manifest.bin[name]}\` by its absolute path, as the examples below do.
2. **From the tarball** that \`npm pack\` makes: \`npm install -g ./${tarball}\`. The command is then \`${name}\`. Without installing it: \`npx --yes --package=/absolute/path/to/${tarball} ${name}\`.
3. **As a bundle for Claude Desktop** that \`npm run pack:mcpb\` makes for your platform: open \`${name}-${version}-….mcpb\` and choose your folders. The bundle needs nothing else, not even Node.

The package is not in the npm registry yet.

## Most hosts
${fenced('json', json({ mcpServers: { [source.server]: posix } }))}

| Host | File |
|---|---|
| Claude Desktop | \`claude_desktop_config.json\`: Settings, Developer, Edit Config |
| Cursor | \`.cursor/mcp.json\` in a project, or \`~/.cursor/mcp.json\` |
| Gemini CLI, Qwen Code | \`~/.gemini/settings.json\`, \`~/.qwen/settings.json\`, or the same file in a project |
| Cline | \`cline_mcp_settings.json\`: MCP Servers, Configure |
| Windsurf | \`~/.codeium/windsurf/mcp_config.json\` |
| Copilot CLI | \`~/.copilot/mcp-config.json\`, with \`"type": "local"\` and \`"tools": ["*"]\` beside \`command\` |
| VS Code | \`.vscode/mcp.json\`, with \`servers\` instead of \`mcpServers\`, and \`"type": "stdio"\` beside \`command\` |
| Zed | \`settings.json\`, with \`context_servers\` instead of \`mcpServers\`, and \`"source": "custom"\` beside \`command\` |

On Windows:
${fenced('json', json({ mcpServers: { [source.server]: windows } }))}
If a host does not find \`node\`, give its full path (\`where node\` on Windows, \`which node\` elsewhere).

## Claude Code
${fenced('sh', claudeCode(source, posix, "'"))}
To share it with everybody on a project, add \`--scope project\`.

## Codex
\`~/.codex/config.toml\`:
${fenced('toml', toml(source, posix))}
Codex offers no folders of its own: only \`ARTWORK_UPLOAD_ROOTS\` opens one for uploads.

## opencode
\`opencode.json\`:
${fenced('json', json({ mcp: { [source.server]: opencode(posix) } }))}

## Continue
\`config.yaml\`:
${fenced('yaml', yaml(source, posix))}

## Docker
The image is built from a checkout. The data is in a volume, and the folder for uploads is mounted.
${fenced('sh', `docker build -t ${name} .\n${docker(source, manifest)}`)}
A host takes the words of the second line as \`command\` and \`args\`. Your browser can't reach a container's loopback address: sign in with \`docker run -it --rm -v artwork-data:/data ${name} connect --no-browser\`, and paste the address of the last page. You can't open the pages of the embedded catalogue inside the image.
`;
}

/**
 * The built program of a checkout.
 * @param {Source} source
 * @param {Record<string, any>} manifest
 * @param {'posix' | 'windows'} machine
 * @returns {Launch}
 */
function built(source, manifest, machine) {
  const program = `${source.checkout[machine]}/${manifest.bin[manifest.name]}`;
  return {
    command: 'node',
    args: [machine === 'windows' ? program.replaceAll('/', '\\') : program],
    env: { ARTWORK_UPLOAD_ROOTS: source.example[machine] },
  };
}

/**
 * @param {Source} source
 * @param {Launch} launch
 * @param {string} quote
 */
function claudeCode({ server }, { command, args, env }, quote) {
  const set = Object.entries(env).map(([name, value]) => `-e ${quote}${name}=${value}${quote}`);
  const words = args.map((word) => `${quote}${word}${quote}`);
  return ['claude mcp add', server, ...set, '--', command, ...words].join(' ');
}

/**
 * Literal strings, in which nothing is escaped.
 * @param {Source} source
 * @param {Launch} launch
 */
function toml({ server }, { command, args, env }) {
  const literal = (/** @type {string} */ word) => `'${word}'`;
  return `[mcp_servers.${server}]
command = ${literal(command)}
args = [${args.map(literal).join(', ')}]
env = { ${Object.entries(env)
    .map(([name, value]) => `${name} = ${literal(value)}`)
    .join(', ')} }`;
}

/**
 * @param {Source} source
 * @param {Launch} launch
 */
function yaml({ server }, { command, args, env }) {
  return `mcpServers:
  - name: ${server}
    command: ${command}
    args:
${args.map((word) => `      - ${JSON.stringify(word)}`).join('\n')}
    env:
${Object.entries(env)
  .map(([name, value]) => `      ${name}: ${JSON.stringify(value)}`)
  .join('\n')}`;
}

/** @param {Launch} launch */
function opencode({ command, args, env }) {
  return { type: 'local', command: [command, ...args], environment: env };
}

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function docker(source, manifest) {
  const mounts = `-v artwork-data:/data -v ${source.example.posix}:/artwork:ro`;
  return `docker run -i --rm ${mounts} -e ARTWORK_UPLOAD_ROOTS=/artwork ${manifest.name}`;
}

/** Lists of words stay on one line. @param {unknown} value */
function json(value) {
  const words = /\[\s+("[^[\]{}]*?")\s+\]/g;
  return JSON.stringify(value, null, 2).replace(
    words,
    (_, inside) => `[${inside.replace(/\s*\n\s*/g, ' ')}]`,
  );
}

/**
 * @param {string} language
 * @param {string} text
 */
function fenced(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
