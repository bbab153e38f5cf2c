import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { conform } from './conformance.ts';
import { document } from './document.ts';
import { hosts } from './hosts/index.ts';
import { makeTemplate } from './household.ts';
import { NotInstallable } from './install.ts';
import { judge } from './judge.ts';
import { play } from './play.ts';
import { type KeptTable, keptTable, markdown, merged, worse } from './table.ts';

/**
 * Plays hosts through and prints the table of what they make of this server.
 * @param args names of hosts, all without one; `--keep` writes the table down; `--logs DIR` keeps what was said
 * @returns 1 where a cell is worse than the one kept
 */
export async function main(root: string, args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { keep: { type: 'boolean', default: false }, logs: { type: 'string' } },
  });
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const chosen = hosts.filter(({ name }) => positionals.length === 0 || positionals.includes(idOf(name)));
  const conforms = positionals.length === 0 || positionals.includes('conformance');
  if (chosen.length === 0 && !conforms) {
    say(`There is no such host; there are: ${hosts.map(({ name }) => idOf(name)).join(' ')} conformance`);
    return 2;
  }
  const folder = values.logs ?? (await mkdtemp(path.join(tmpdir(), 'artwork-mcp-hosts-')));
  const file = path.join(root, 'test/hosts/kept.json');
  const kept = await readKept(file);
  const now: KeptTable = [];
  const leftOut: string[] = [];
  const broken: string[] = [];
  try {
    const template = await makeTemplate(root, path.join(folder, 'template'));
    if (conforms) broken.push(...(await conformance(root, template.folder, say)));
    for (const host of chosen) {
      const [, version = ''] = host.packages[0] ?? [];
      say(`${host.name} ${version}`);
      const own = path.join(folder, idOf(host.name));
      await mkdir(own, { recursive: true });
      try {
        const cells = judge(await play(host, root, template, own));
        now.push({ host: host.name, version, cells });
      } catch (error) {
        const line = `${host.name} ${version}: ${error instanceof Error ? error.message : String(error)}`;
        if (error instanceof NotInstallable) leftOut.push(line);
        else broken.push(line);
      }
    }
  } finally {
    if (values.logs === undefined) await rm(folder, { recursive: true, force: true });
  }
  if (now.length > 0) say(`\n${markdown(now)}`);
  if (broken.length > 0) say(`\nFailed:\n${broken.map((line) => `- ${line}`).join('\n')}`);
  if (leftOut.length > 0) say(`\nLeft out:\n${leftOut.map((line) => `- ${line}`).join('\n')}`);
  const fallen = worse(now, kept);
  if (fallen.length > 0) say(`\nWorse than it was kept:\n${fallen.map((line) => `- ${line}`).join('\n')}`);
  if (values.keep) {
    // Read anew: another run may have kept its hosts meanwhile.
    const table = merged(
      now,
      await readKept(file),
      hosts.map(({ name }) => name),
    );
    await writeFile(file, `${JSON.stringify(table, null, 2)}\n`);
    await writeFile(path.join(root, 'docs/hosts.md'), document(table));
  }
  return fallen.length + broken.length > 0 ? 1 : 0;
}

/** The scenarios that failed; none where the suite can't be installed, which is said. */
async function conformance(root: string, home: string, say: (line: string) => void): Promise<string[]> {
  try {
    const results = await conform(root, home);
    for (const { scenario, passed } of results)
      say(`conformance, ${scenario}: ${passed ? 'passed' : 'FAILED'}`);
    return results.flatMap(({ scenario, passed }) => (passed ? [] : [scenario]));
  } catch (error) {
    say(`The conformance suite is left out: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

async function readKept(file: string): Promise<KeptTable> {
  return existsSync(file) ? keptTable.parse(JSON.parse(await readFile(file, 'utf8'))) : [];
}

function idOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
}
