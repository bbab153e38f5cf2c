// What a user's machine needs for the installed package, in parts.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm, pack } from './pack.mjs';

/**
 * Installs a tarball into a folder as a user does.
 * @param {string} tarball
 * @param {string} folder empty
 * @param {readonly string[]} [machine] options of npm for another machine than this
 */
export function install(tarball, folder, machine = []) {
  const quiet = ['--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'];
  npm(['install', '--prefix', folder, ...quiet, ...machine, tarball], folder);
}

/**
 * Bytes of the files of each installed package, the largest first; of ours, of each folder in it.
 * @param {string} folder with `node_modules`
 * @returns {Promise<{ part: string, bytes: number }[]>}
 */
export async function installedParts(folder) {
  const modules = path.join(folder, 'node_modules');
  /** @type {Map<string, number>} */
  const parts = new Map();
  for (const entry of await readdir(modules, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const [first = '', second = '', third = ''] = path.relative(modules, file).split(path.sep);
    const inner = third === 'fonts' ? `dist/${third}` : second;
    const part =
      first === 'artwork-mcp'
        ? `artwork-mcp: ${inner}`
        : first.startsWith('@')
          ? `${first}/${second}`
          : first;
    parts.set(part, (parts.get(part) ?? 0) + (await stat(file)).size);
  }
  return [...parts].map(([part, bytes]) => ({ part, bytes })).sort((one, other) => other.bytes - one.bytes);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-installed-'));
  try {
    const tarball = await pack(path.join(folder, 'packed'));
    const { size } = await stat(tarball);
    install(tarball, folder);
    const parts = await installedParts(folder);
    const megabytes = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(2).padStart(8)} MB`;
    for (const { part, bytes } of parts) console.log(`${megabytes(bytes)}  ${part}`);
    console.log(`${megabytes(parts.reduce((sum, { bytes }) => sum + bytes, 0))}  in node_modules`);
    console.log(`${megabytes(size)}  the tarball`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
