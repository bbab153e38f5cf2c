// Packs the bundle that Claude Desktop installs with a click: one for each platform, since parts of it are native.
// node scripts/pack-mcpb.mjs [--platform darwin|linux|win32] [--arch x64|arm64] [DESTINATION]
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { install, pack } from './pack.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const mcpb = '@anthropic-ai/mcpb@2.1.2';

/**
 * @param {string} destination folder of the bundle
 * @param {{ platform: 'darwin' | 'linux' | 'win32', arch: string }} machine that it is for
 * @returns {Promise<string>} the bundle's path
 */
async function packMcpb(destination, { platform, arch }) {
  await mkdir(destination, { recursive: true });
  const work = await mkdtemp(path.join(destination, '.packing-'));
  try {
    const staged = path.join(work, 'bundle');
    await mkdir(staged);
    const tarball = await pack(work);
    install(tarball, staged, [
      `--os=${platform}`,
      `--cpu=${arch}`,
      ...(platform === 'linux' ? ['--libc=glibc'] : []),
    ]);
    // What npm wrote of this run names where the tarball lay.
    for (const name of [
      'package.json',
      'package-lock.json',
      'node_modules/.package-lock.json',
      'node_modules/.bin',
    ])
      await rm(path.join(staged, name), { recursive: true, force: true });
    // npm takes both builds for Linux; the desktop application runs with glibc.
    await rm(path.join(staged, 'node_modules', '@libsql', `linux-${arch}-musl`), {
      recursive: true,
      force: true,
    });
    const manifest = await manifestFor(platform);
    await writeFile(path.join(staged, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await setModes(staged);
    const name = `${manifest.name}-${manifest.version}-${platform}-${arch}.mcpb`;
    runMcpb(['validate', path.join(staged, 'manifest.json')]);
    runMcpb(['pack', staged, path.join(work, name)]);
    await rename(path.join(work, name), path.join(destination, name));
    return path.join(destination, name);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * A bundle keeps the modes of what is packed, which come from the umask of who packs: with a lax one all users of a
 * machine could write to the program that a person installs, with a strict one none but its owner could run it.
 * @param {string} folder
 */
async function setModes(folder) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const runs = entry.isDirectory() || ((await stat(file)).mode & 0o100) !== 0;
    await chmod(file, runs ? 0o755 : 0o644);
  }
}

/**
 * The manifest is packaging/mcpb.json, with what follows from the build: a list can't go into a variable, so there the
 * folders are arguments. What a person leaves empty arrives as its placeholder.
 * @param {'darwin' | 'linux' | 'win32'} platform
 */
async function manifestFor(platform) {
  const read = async (/** @type {string} */ name) =>
    JSON.parse(await readFile(path.join(root, name), 'utf8'));
  const { compatibility, ...manifest } = await read('packaging/mcpb.json');
  const { version } = await read('package.json');
  const { tools } = await read('dist/definitions.json');
  return {
    ...manifest,
    version,
    compatibility: { ...compatibility, platforms: [platform] },
    // As people are shown them before they install.
    tools: tools.map((/** @type {{ definition: { name: string, title: string } }} */ { definition }) => ({
      name: definition.name,
      description: definition.title,
    })),
  };
}

/** @param {readonly string[]} args */
function runMcpb(args) {
  execFileSync('npx', ['--yes', '--prefer-offline', mcpb, ...args], {
    // What it says is for people; the answer of this program is the bundle's path.
    stdio: ['ignore', 2, 'inherit'],
    shell: process.platform === 'win32',
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { platform: { type: 'string' }, arch: { type: 'string' } },
  });
  const platform = values.platform ?? process.platform;
  if (platform !== 'darwin' && platform !== 'linux' && platform !== 'win32')
    throw new Error(`There are bundles for darwin, linux and win32, none for ${platform}.`);
  const { INIT_CWD: from } = process.env;
  const destination = path.resolve(from ?? '.', positionals[0] ?? '.');
  console.log(await packMcpb(destination, { platform, arch: values.arch ?? process.arch }));
}
