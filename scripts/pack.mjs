// Packs what a user installs, from a folder of its own: package.json here names all that runs, so that an audit sees
// it; the packed one only what has to be installed beside the bundle. `npm pack` runs this as its last step, and has
// the tarball that it wrote replaced.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundling } from './bundling.mjs';
import { bundledPackages } from './notice.mjs';

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
      if (name !== bill) await cp(path.join(root, name), path.join(staged, name), { recursive: true });
    const packed = packedManifest(manifest);
    await writeFile(path.join(staged, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
    await writeFile(path.join(staged, bill), `${JSON.stringify(await billOfMaterials(), null, 1)}\n`);
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

/** The bill of materials, in CycloneDX. */
const bill = 'sbom.cdx.json';

/** @param {Record<string, any>} manifest */
function packedManifest(manifest) {
  const { scripts: _, devDependencies: _dev, knip: _knip, dependencies, ...kept } = manifest;
  const installed = bundling.external.map((name) => {
    if (dependencies[name] === undefined) throw new Error(`package.json does not name ${name}.`);
    return [name, dependencies[name]];
  });
  return { ...kept, dependencies: Object.fromEntries(installed) };
}

/** What the lock says of all that runs, without the packages that neither are installed nor have a part in the build. */
async function billOfMaterials() {
  // Without `--omit dev`, which leaves out what a package for development asks for too, such as the MCP SDK.
  const all = JSON.parse(
    npm(['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']),
  );
  const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  /** @type {Map<string, string[]>} */
  const needs = new Map(
    all.dependencies.map((/** @type {{ ref: string, dependsOn: string[] }} */ one) => [
      one.ref,
      one.dependsOn,
    ]),
  );
  const installed = new Set();
  const left = [...needs.keys()].filter((ref) => bundling.external.some((one) => ref.startsWith(`${one}@`)));
  for (let ref = left.pop(); ref !== undefined; ref = left.pop()) {
    if (installed.has(ref)) continue;
    installed.add(ref);
    left.push(...(needs.get(ref) ?? []));
  }
  const bundled = new Map(
    (await bundledPackages(root)).map((one) => [`${one.name}@${one.version}`, one.license]),
  );
  const self = all.metadata.component['bom-ref'];
  /** @param {string} ref */
  const isThere = (ref) => ref === self || installed.has(ref) || bundled.has(ref);
  for (const ref of bundled.keys()) if (!needs.has(ref)) throw new Error(`The lock does not know ${ref}.`);
  // Without the number and the time of this run: the same lock makes the same bill.
  const { serialNumber: _, ...kept } = all;
  const { timestamp: _time, ...metadata } = all.metadata;
  return {
    ...kept,
    metadata: { ...metadata, component: { ...metadata.component, name, version } },
    components: all.components
      .filter((/** @type {{ 'bom-ref': string }} */ one) => isThere(one['bom-ref']))
      // The lock leaves out a licence that has no name of its own.
      .map((/** @type {{ 'bom-ref': string }} */ one) => ({
        licenses: [{ license: { name: bundled.get(one['bom-ref']) ?? 'unknown' } }],
        ...one,
      })),
    dependencies: all.dependencies
      .filter((/** @type {{ ref: string }} */ one) => isThere(one.ref))
      .map((/** @type {{ ref: string, dependsOn: string[] }} */ { ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter(isThere),
      })),
  };
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
