import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Host } from './host.ts';

/** Outside the repository: hosts are no dependencies of it. */
const cache = process.env.ARTWORK_HOSTS_CACHE ?? path.join(homedir(), '.cache', 'artwork-mcp-hosts');

/** A host that this machine can't have; every other failure is one of the server or of the player. */
export class NotInstallable extends Error {}

const laterNode = ['node', '24.21.0'] as const;

/**
 * Installs a host's packages in exactly their versions, unless that was done before.
 * @returns the folder that has them in node_modules
 * @throws NotInstallable with npm's own words
 */
export async function install(packages: Host['packages']): Promise<string> {
  const [first] = packages;
  if (first === undefined) throw new Error('The host has no package.');
  const folder = path.join(cache, first.join('-').replace(/^@/, '').replaceAll('/', '-'));
  const done = path.join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (existsSync(done) && wanted === (await readFile(done, 'utf8'))) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}\n');
  const exact = packages.map((one) => one.join('@'));
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--save-exact'];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, ...exact], { cwd: folder });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const words = error.message.split('\n').find((line) => line.startsWith('npm error')) ?? error.message;
    throw new NotInstallable(`npm could not install it: ${words.slice(0, 200)}`);
  }
  await writeFile(done, wanted);
  return folder;
}

/** The folder of the `node` that a host runs on; null for the one that runs this. */
export async function nodeFor(node: Host['node']): Promise<string | null> {
  const own = Number(process.versions.node.split('.')[0]);
  if (own >= node) return null;
  return path.join(await install([laterNode]), 'node_modules', '.bin');
}
