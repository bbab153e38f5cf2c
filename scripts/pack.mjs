// Packs what a user installs, from a folder of its own: package.json here names all that runs, so that an audit sees
// it; the packed one only what has to be installed beside the bundle. `npm pack` runs this as its last step, and has
// the tarball that it wrote replaced.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundling } from './bundling.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Packs the project as it is built.
 * @param {string} destination folder of the tarball
 * @returns {Promise<string>} the tarball's path
 */
export async function pack(destination) {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  await mkdir(destination, { recursive: true });
  // Beside the tarball, so that it gets its name in one step once it is whole.
  const work = await mkdtemp(path.join(destination, '.packing-'));
  try {
    const staged = path.join(work, 'package');
    await mkdir(staged);
    for (const name of manifest.files)
      await cp(path.join(root, name), path.join(staged, name), { recursive: true });
    const packed = packedManifest(manifest);
    await writeFile(path.join(staged, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
    const [{ filename }] = JSON.parse(
      npm(['pack', staged, '--ignore-scripts', '--json', '--dry-run=false', '--pack-destination', work]),
    );
    const tarball = path.join(destination, filename);
    await rename(path.join(work, filename), tarball);
    return tarball;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** @param {Record<string, any>} manifest */
function packedManifest(manifest) {
  const { scripts: _, devDependencies: _dev, knip: _knip, dependencies, ...kept } = manifest;
  const installed = bundling.external.map((name) => {
    if (dependencies[name] === undefined) throw new Error(`package.json does not name ${name}.`);
    return [name, dependencies[name]];
  });
  return { ...kept, dependencies: Object.fromEntries(installed) };
}

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
 * Runs npm, and answers what it printed.
 * @param {readonly string[]} args
 * @param {string} [folder] default: the project's
 */
export function npm(args, folder = root) {
  // Where npm runs this, that npm; a shell, since on Windows npm is one of its scripts.
  const program = process.env.npm_execpath;
  const options = /** @type {const} */ ({
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return program?.endsWith('.js')
    ? execFileSync(process.execPath, [program, ...args, '--loglevel=error'], options)
    : execFileSync('npm', [...args, '--loglevel=error'], { ...options, shell: process.platform === 'win32' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { npm_config_dry_run: isDry, npm_config_pack_destination: asked, INIT_CWD: from } = process.env;
  if (isDry !== 'true') {
    const tarball = await pack(path.resolve(from ?? '.', process.argv[2] ?? asked ?? '.'));
    console.error(`${tarball} names what is installed beside the bundle, and nothing else.`);
  }
}
