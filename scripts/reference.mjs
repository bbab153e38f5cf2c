// Writes docs/reference.md from what the built program says of itself: its tools as hosts list them, its commands as
// --help explains them. `npm run reference`; with --check it changes nothing, and fails where the file is older.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const file = new URL('../docs/reference.md', import.meta.url);
const definitions = JSON.parse(await readFile(new URL('../dist/definitions.json', import.meta.url), 'utf8'));

const commands = await readCommands();
const text = `# Reference
Made by \`npm run reference\` from what the program says of itself.

## Tools
\`*\` marks an argument that a call must have. Arguments that are not named here are refused.

${definitions.tools.map(describeTool).join('\n')}
## Commands
Each takes every setting as a flag too; they stand below, and [README](../README.md#settings) has their defaults.

${commands.map(({ name, help }) => `### ${name}\n\`\`\`\n${help}\n\`\`\`\n`).join('\n')}
## Settings
\`\`\`
${await explain('help', 'settings')}
\`\`\`
`;

if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8')) !== text) {
    console.error('docs/reference.md is not what the program says of itself: run npm run reference.');
    process.exitCode = 1;
  }
} else await writeFile(file, text);

function describeTool({ toolset, definition }) {
  const { name, title, description, inputSchema } = definition;
  const required = new Set(inputSchema.required ?? []);
  const rows = Object.entries(inputSchema.properties ?? {}).map(
    ([argument, schema]) =>
      `| \`${argument}\`${required.has(argument) ? ' *' : ''} | ${typeOf(schema)} | ${cell(schema.description ?? '')} |`,
  );
  const table =
    rows.length === 0
      ? 'It takes no arguments.'
      : ['| Argument | Type | |', '|---|---|---|', ...rows].join('\n');
  return `### ${name}\n${title} (toolset \`${toolset}\`). ${cell(description)}\n\n${table}\n`;
}

function typeOf({ type, enum: values, items }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'array' && items !== undefined) return `list of ${typeOf(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}

/** A table's cell is one line, and a bar would end it. */
function cell(words) {
  return words.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

/** In the order in which the program names them. */
async function readCommands() {
  const help = (...args) => explain(...args, '--help');
  const [, list = ''] = (await help()).split('Commands:\n');
  const names = [...list.split('\n\n')[0].matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  return Promise.all(names.map(async (name) => ({ name, help: withoutSettings(await help(name)) })));
}

async function explain(...args) {
  const env = { PATH: process.env.PATH };
  return (await run(process.execPath, [cli, ...args], { env })).stdout.trim();
}

/** All settings stand once, behind the commands. */
function withoutSettings(help) {
  return help
    .split('\n\n')
    .filter((part) => !/^(Settings, |artwork-mcp help settings)/.test(part))
    .join('\n\n');
}
