// Writes docs/reference.md from what the program says of itself: its tools with the whole words of their arguments, of
// which hosts are told the shortest, its commands as --help explains them; and the table of settings in docs/settings.md
// from src/settings.ts. `npm run reference`; with --check it changes nothing, and fails where a file is older.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundling } from './bundling.mjs';

/** Of the arguments whose names tell a model as much: a definition has no words for them. */
const usualWords = {
  slot: 'of the target: e.g. poster',
  targetKind: 'what it is for: e.g. movie',
  targetId: 'id of the target',
  entryTargetId: 'id of the target',
  setId: 'a Set of your own',
  groupId: 'a group of your own',
  assetId: 'an Asset of your own',
  existingAssetId: 'an Asset of your own',
  itemId: 'left out: follows from clientMutationId and position',
  position: 'left out: its place in the list',
  title: 'as people will read it',
  titleBase: 'as people will read it',
  description: 'as people will read it; "none": none',
  languageCode: 'e.g. en',
  editionId: 'id of an edition, as get_owned shows it; "none": of none',
  selectedSourceFrame: 'of an animated picture: the frame that stands for it, from 0',
  filename: 'to announce instead of its own name',
};

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'dist/cli.js');
const { tools, wholeSchema, settingTable, variablesOf } = await loadSources();

const commands = await readCommands();
const text = `# Reference
Made by \`npm run reference\` from what the program says of itself.

## Tools
\`*\` marks an argument that a call must have; \`items[].slot\` is the member \`slot\` of each of the \`items\`. Arguments that are not named here are refused, and whole numbers are taken as their digits too.

${tools.map(describeTool).join('\n')}
## Commands
Each takes every setting as a flag too; they stand below, and [Settings](settings.md) has their defaults.

${commands.map(({ name, help }) => `### ${name}\n\`\`\`\n${help}\n\`\`\`\n`).join('\n')}
## Settings
\`\`\`
${await explain('help', 'settings')}
\`\`\`
`;

const settings = await readFile(path.join(root, 'docs/settings.md'), 'utf8');
const head = '| Variable | Meaning | Default |\n|---|---|---|\n';
const [before, after] = [settings.split(head)[0], settings.split(head)[1].replace(/^(?:\|.*\n)+/, '')];
for (const [name, made] of [
  ['docs/reference.md', text],
  ['docs/settings.md', `${before}${head}${settingRows()}${after}`],
]) {
  const file = path.join(root, name);
  if (!process.argv.includes('--check')) await writeFile(file, made);
  else if ((await readFile(file, 'utf8')) !== made) {
    console.error(`${name} is not what the program says of itself: run npm run reference.`);
    process.exitCode = 1;
  }
}

function settingRows() {
  const rows = Object.entries(settingTable).map(([name, { about, byDefault }]) => {
    const variables = variablesOf(name).map((variable) => `\`${variable}\``);
    return `| ${variables.join(', ')} | ${cell(about)} | ${cell(byDefault)} |\n`;
  });
  return rows.join('');
}

/** From the sources: the build keeps no words but those for hosts. */
async function loadSources() {
  // Where packages are found that are not bundled.
  const folder = await mkdtemp(path.join(root, 'node_modules', '.reference-'));
  try {
    const outfile = path.join(folder, 'sources.mjs');
    const contents =
      "export { tools } from './src/tools/index.ts'; export { wholeSchema } from './src/mcp/json-schema.ts'; export { settingTable, variablesOf } from './src/settings.ts';";
    await build({
      ...bundling,
      absWorkingDir: root,
      splitting: false,
      stdin: { contents, resolveDir: root },
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function describeTool({ name, title, description, toolset, input }) {
  const rows = describeMembers(wholeSchema(input, 'input'), '');
  const table =
    rows.length === 0
      ? 'It takes no arguments.'
      : ['| Argument | Type | |', '|---|---|---|', ...rows].join('\n');
  return `### ${name}\n${title} (toolset \`${toolset}\`). ${cell(description)}\n\n${table}\n`;
}

/** A row for each argument, its own members behind it. `within`: what it is a member of, as in `items[].`. */
function describeMembers({ properties = {}, required = [] }, within) {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const mark = required.includes(name) ? ' *' : '';
    const argument = `${within}${name}`;
    return [
      `| \`${argument}\`${mark} | ${typeOf(schema)} | ${cell(schema.description ?? usualWords[name] ?? '')} |`,
      ...describeMembers(schema, `${argument}.`),
      ...describeMembers(schema.items ?? {}, `${argument}[].`),
    ];
  });
}

function typeOf({ type, enum: values, items, format }) {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'array' && items !== undefined) return `list of ${typeOf(items)}`;
  return format === 'uuid' ? 'UUID' : [type ?? 'any'].flat().join(' or ');
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
  return Promise.all(names.map(async (name) => ({ name, help: await help(name) })));
}

async function explain(...args) {
  const env = { PATH: process.env.PATH };
  return (await run(process.execPath, [cli, ...args], { env })).stdout.trim();
}
