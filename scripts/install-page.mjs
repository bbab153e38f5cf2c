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
  const published = { command: 'npx', args: ['-y', manifest.name], env: {} };
  return `<!-- Written by npm run packages from packaging/source.json. -->
# Adding ${source.title} to your host

[Hosts](hosts.md) tells which of these were run. Claude Desktop, Cursor, VS Code, Zed, Windsurf and LM Studio never were: what stands here for them follows their documentation.

You need Node ${manifest.engines.node.replace('>=', '')} or later. Nothing here needs an account; see [Settings](settings.md) for what may stand in the environment.

## Three ways to get it
1. **From a checkout**: \`npm ci && npm run build\`, then name \`${manifest.bin[manifest.name]}\` by its absolute path. All snippets below do that.
2. **From the tarball** that \`npm pack\` makes: \`npm install -g ./${manifest.name}-${manifest.version}.tgz\`, then the command is \`${manifest.name}\`, without arguments. Without installing it: \`npx --yes --package=/absolute/path/to/${manifest.name}-${manifest.version}.tgz ${manifest.name}\`.
3. **As a bundle for Claude Desktop** that \`npm run pack:mcpb\` makes for your platform: open \`${manifest.name}-${manifest.version}-….mcpb\`, choose your folders, and it is installed. Nothing else is needed, not even Node.

Once the package is published in the npm registry, \`npx -y ${manifest.name}\` takes the place of \`node\` and the path; [the last section](#once-it-is-published) has what works from then on.

On Windows, paths in JSON are written with \`\\\\\` or \`/\`. A host that does not find \`node\` needs its full path as the command (\`where node\` on Windows, \`which node\` elsewhere).

## Claude Desktop
With the bundle, or in \`claude_desktop_config.json\` (Settings, Developer, Edit Config; \`%APPDATA%\\Claude\` on Windows, \`~/Library/Application Support/Claude\` on macOS):
${fenced('json', json({ mcpServers: { [source.server]: posix } }))}
Windows:
${fenced('json', json({ mcpServers: { [source.server]: windows } }))}

## Claude Code
${fenced('sh', claudeCode(source, posix, "'"))}
Windows (PowerShell):
${fenced('powershell', claudeCode(source, windows, "'"))}
For everybody who works on a project, add \`--scope project\`: it writes \`.mcp.json\`.

## Cursor
\`.cursor/mcp.json\` in a project, or \`~/.cursor/mcp.json\`:
${fenced('json', json({ mcpServers: { [source.server]: posix } }))}

## VS Code
\`.vscode/mcp.json\`, or *MCP: Open User Configuration*:
${fenced('json', json({ servers: { [source.server]: { type: 'stdio', ...posix } } }))}
Windows:
${fenced('json', json({ servers: { [source.server]: { type: 'stdio', ...windows } } }))}

## Codex
\`~/.codex/config.toml\`:
${fenced('toml', toml(source, posix))}
Windows, where single quotes keep \`\\\` as it is:
${fenced('toml', toml(source, windows))}
Codex gives servers no folders of its own: \`ARTWORK_UPLOAD_ROOTS\` is what opens one for uploads.

## Gemini CLI and Qwen Code
\`~/.gemini/settings.json\`, \`~/.qwen/settings.json\`, or the same file in a project:
${fenced('json', json({ mcpServers: { [source.server]: posix } }))}

## opencode
\`opencode.json\`:
${fenced('json', json({ $schema: 'https://opencode.ai/config.json', mcp: { [source.server]: opencode(posix) } }))}

## Copilot CLI
\`~/.copilot/mcp-config.json\`:
${fenced('json', json({ mcpServers: { [source.server]: { type: 'local', ...posix, tools: ['*'] } } }))}

## Cline
\`cline_mcp_settings.json\` (MCP Servers, Configure):
${fenced('json', json({ mcpServers: { [source.server]: posix } }))}

## Continue
\`config.yaml\`:
${fenced('yaml', yaml(source, posix))}

## Zed
\`settings.json\`:
${fenced('json', json({ context_servers: { [source.server]: { source: 'custom', ...posix } } }))}

## Windsurf
\`~/.codeium/windsurf/mcp_config.json\`:
${fenced('json', json({ mcpServers: { [source.server]: posix } }))}

## Docker
The image is built from a checkout; what the server keeps lies in a volume, and folders for uploads are mounted.
${fenced('sh', `docker build -t ${manifest.name} .\n${docker(source, manifest).join(' ')}`)}
In a host:
${fenced('json', json({ mcpServers: { [source.server]: dockerLaunch(source, manifest) } }))}
A browser on your machine can't reach the loopback address inside a container: sign in once with \`docker run -it --rm -v artwork-data:/data ${manifest.name} connect --no-browser\` and paste the address that your browser ends at. The pages of the catalogue that the image brings can't be opened from outside at all.

## Once it is published
These need the package in the npm registry, which it is not yet.

- Cursor: [add it](${cursorLink(source, published)})
- VS Code: [add it](${codeLink(source, published, 'vscode')}), [Insiders](${codeLink(source, published, 'vscode-insiders')}); or \`code --add-mcp '${JSON.stringify({ name: source.server, ...published })}'\`
- LM Studio: [add it](${lmStudioLink(source, published)})
- Claude Code: \`claude mcp add ${source.server} -- npx -y ${manifest.name}\`, on Windows \`claude mcp add ${source.server} -- cmd /c npx -y ${manifest.name}\`; or as a plugin: \`/plugin marketplace add ${repository(manifest)}\`, then \`/plugin install ${source.server}@${manifest.name}\`
- Gemini CLI: \`gemini extensions install ${address(manifest)}\`
- Codex: \`codex mcp add ${source.server} -- npx -y ${manifest.name}\`
- Any other, with what most of them read:
${fenced('json', json({ mcpServers: { [source.server]: { command: published.command, args: published.args } } }))}
On Windows, where a host can't start \`npx\` itself:
${fenced('json', json({ mcpServers: { [source.server]: { command: 'cmd', args: ['/c', 'npx', ...published.args] } } }))}
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
  const mount = `${source.example.posix}:/artwork:ro`;
  return [
    'docker',
    ...['run', '-i', '--rm', '-v', 'artwork-data:/data', '-v', mount],
    ...['-e', 'ARTWORK_UPLOAD_ROOTS=/artwork', manifest.name],
  ];
}

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function dockerLaunch(source, manifest) {
  const [command, ...args] = docker(source, manifest);
  return { command, args };
}

/**
 * @param {Source} source
 * @param {Launch} launch
 */
function cursorLink({ server }, { command, args }) {
  const config = encodeURIComponent(base64({ command, args }));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${server}&config=${config}`;
}

/**
 * Through a page that forwards, since a link to the program itself is not shown by most pages.
 * @param {Source} source
 * @param {Launch} launch
 * @param {'vscode' | 'vscode-insiders'} program
 */
function codeLink({ server }, { command, args }, program) {
  const config = encodeURIComponent(JSON.stringify({ name: server, command, args }));
  return `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`${program}:mcp/install?${config}`)}`;
}

/**
 * @param {Source} source
 * @param {Launch} launch
 */
function lmStudioLink({ server }, { command, args }) {
  return `lmstudio://add_mcp?name=${server}&config=${encodeURIComponent(base64({ command, args }))}`;
}

/** @param {unknown} value */
function base64(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** @param {Record<string, any>} manifest */
function address(manifest) {
  return manifest.repository.url.replace(/^git\+|\.git$/g, '');
}

/** @param {Record<string, any>} manifest */
function repository(manifest) {
  return new URL(address(manifest)).pathname.slice(1);
}

/** @param {unknown} value */
function json(value) {
  return JSON.stringify(value, null, 2);
}

/**
 * @param {string} language
 * @param {string} text
 */
function fenced(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
