// Writes from packaging/source.json and package.json what registries, hosts and people install this server by.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPage } from './install-page.mjs';
import { notice } from './notice.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * @typedef {object} Setting what a person may be asked for
 * @property {string} variable
 * @property {'text' | 'secret' | 'folder' | 'folders' | 'switch'} kind
 * @property {string} title
 * @property {string} description
 *
 * @typedef {object} Source
 * @property {string} server what hosts call it
 * @property {string} title
 * @property {string} sentence at most 100 characters
 * @property {string} paragraph
 * @property {string} author
 * @property {{ posix: string, windows: string }} checkout
 * @property {{ posix: string, windows: string }} example a folder for uploads
 * @property {readonly Setting[]} settings
 */

/** @returns {Promise<{ source: Source, manifest: Record<string, any> }>} */
async function readSource() {
  const read = async (/** @type {string} */ name) =>
    JSON.parse(await readFile(path.join(root, name), 'utf8'));
  return { source: await read('packaging/source.json'), manifest: await read('package.json') };
}

/**
 * Every generated file, by its path from the root.
 * @returns {Promise<Map<string, string>>}
 */
export async function generatedFiles() {
  const { source, manifest } = await readSource();
  return new Map([
    ['server.json', json(registryEntry(source, manifest))],
    ['.claude-plugin/plugin.json', json(claudePlugin(source, manifest))],
    ['.claude-plugin/marketplace.json', json(claudeMarketplace(source, manifest))],
    ['gemini-extension.json', json(geminiExtension(source, manifest))],
    ['mcp.json.example', json(exampleConfiguration(source, manifest))],
    ['docs/install.md', installPage(source, manifest)],
    ['NOTICE', await notice(root)],
  ]);
}

/**
 * The manifest of an MCPB bundle, which holds the installed package for one platform.
 * @param {'darwin' | 'linux' | 'win32'} platform
 * @param {readonly { name: string, description: string }[]} tools
 */
export async function mcpbManifest(platform, tools) {
  const { source, manifest } = await readSource();
  const program = `node_modules/${manifest.name}/${manifest.bin[manifest.name]}`;
  // A list can't go into a variable: folders are arguments. What is left empty arrives as its placeholder.
  const folders = source.settings.filter(({ kind }) => kind === 'folders');
  const others = source.settings.filter(({ kind }) => kind !== 'folders');
  return {
    manifest_version: '0.3',
    name: manifest.name,
    display_name: source.title,
    version: manifest.version,
    description: source.sentence,
    long_description: source.paragraph,
    author: { name: source.author },
    repository: { type: 'git', url: address(manifest) },
    homepage: manifest.homepage,
    support: manifest.bugs.url,
    license: manifest.license,
    keywords: manifest.keywords,
    server: {
      type: 'node',
      entry_point: program,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${program}`, 'serve', ...folders.map((one) => placeholder(one))],
        env: Object.fromEntries(others.map((one) => [one.variable, placeholder(one)])),
      },
    },
    tools,
    prompts_generated: true,
    compatibility: { platforms: [platform], runtimes: { node: manifest.engines.node } },
    user_config: userConfig(source.settings),
  };
}

/** @param {readonly Setting[]} settings */
function userConfig(settings) {
  const types = {
    text: 'string',
    secret: 'string',
    folder: 'directory',
    folders: 'directory',
    switch: 'boolean',
  };
  return Object.fromEntries(
    settings.map((setting) => [
      key(setting),
      {
        type: types[setting.kind],
        title: setting.title,
        description: setting.description,
        required: false,
        ...(setting.kind === 'folders' ? { multiple: true } : {}),
        ...(setting.kind === 'secret' ? { sensitive: true } : {}),
        ...(setting.kind === 'switch' ? { default: false } : {}),
      },
    ]),
  );
}

/**
 * `server.json` of the MCP registry, schema 2025-12-11.
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function registryEntry(source, manifest) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: manifest.mcpName,
    title: source.title,
    description: source.sentence,
    version: manifest.version,
    repository: { url: address(manifest), source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: manifest.name,
        version: manifest.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: source.settings.map(({ variable, description, kind }) => ({
          name: variable,
          description: kind === 'folders' ? `${description}; several are separated as in PATH` : description,
          isRequired: false,
          isSecret: kind === 'secret',
          format: kind === 'folder' ? 'filepath' : kind === 'switch' ? 'boolean' : 'string',
        })),
      },
    ],
  };
}

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function claudePlugin(source, manifest) {
  const folders = source.settings.filter(({ kind }) => kind === 'folders');
  const others = source.settings.filter(({ kind }) => kind !== 'folders');
  return {
    name: source.server,
    version: manifest.version,
    description: source.sentence,
    author: { name: source.author },
    homepage: manifest.homepage,
    repository: address(manifest),
    license: manifest.license,
    keywords: manifest.keywords,
    userConfig: userConfig(source.settings),
    mcpServers: {
      [source.server]: {
        command: 'npx',
        args: ['-y', manifest.name, 'serve', ...folders.map((one) => placeholder(one))],
        env: Object.fromEntries(others.map((one) => [one.variable, placeholder(one)])),
      },
    },
  };
}

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function claudeMarketplace(source, manifest) {
  return {
    name: manifest.name,
    description: source.sentence,
    owner: { name: source.author },
    plugins: [{ name: source.server, source: './', description: source.sentence }],
  };
}

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function geminiExtension(source, manifest) {
  return {
    name: manifest.name,
    version: manifest.version,
    description: source.sentence,
    mcpServers: {
      [source.server]: {
        command: 'npx',
        args: ['-y', manifest.name],
        env: Object.fromEntries(source.settings.map(({ variable }) => [variable, `\${${variable}}`])),
      },
    },
    settings: source.settings.map(({ title, description, variable, kind }) => ({
      name: title,
      description: kind === 'folders' ? `${description}; several are separated as in PATH` : description,
      envVar: variable,
      ...(kind === 'secret' ? { sensitive: true } : {}),
    })),
  };
}

/**
 * @param {Source} source
 * @param {Record<string, any>} manifest
 */
function exampleConfiguration(source, manifest) {
  return {
    mcpServers: {
      [source.server]: {
        command: 'node',
        args: [`${source.checkout.posix}/${manifest.bin[manifest.name]}`],
        env: { ARTWORK_BASE_URL: '', ARTWORK_USER: 'default', ARTWORK_UPLOAD_ROOTS: source.example.posix },
      },
    },
  };
}

/** @param {Setting} setting */
function key({ variable }) {
  return variable.replace('ARTWORK_', '').toLowerCase();
}

/** @param {Setting} setting */
function placeholder(setting) {
  return `\${user_config.${key(setting)}}`;
}

/** @param {Record<string, any>} manifest */
function address(manifest) {
  return manifest.repository.url.replace(/^git\+|\.git$/g, '');
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of await generatedFiles()) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
