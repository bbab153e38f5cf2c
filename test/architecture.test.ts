import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../src');

/** A file imports only from floors below its own; on its own floor, only from its own folder. */
const floors: Readonly<Record<string, number>> = {
  'cli.ts': 12,
  commands: 11,
  demo: 10,
  'app.ts': 10,
  'definitions.ts': 10,
  tools: 8,
  'resources.ts': 9,
  mcp: 7,
  curation: 6,
  mutations: 5,
  model: 4,
  files: 2,
  catalogue: 3,
  connection: 3,
  ledger: 3,
  store: 1,
  http: 1,
  'deadline.ts': 1,
  'settings.ts': 2,
  'setting-checks.ts': 1,
  'version.ts': 1,
  // The settings name its levels.
  'log.ts': 1,
  'terminal.ts': -1,
  'machine.ts': 0,
  'errors.ts': -1,
  'clock.ts': 0,
  'canonical-json.ts': 0,
  'grouped-by.ts': 0,
  'map-limit.ts': 0,
  'text.ts': 0,
  'own-command.ts': 1,
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(path.sep).join('/'));

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(source, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  return [...statements, ...dynamic].map((found) => ({ file, specifier: found[1] ?? '' }));
}

const imports = files.flatMap(importsOf);
const inside = imports
  .filter(({ specifier }) => specifier.startsWith('.'))
  .map((found) => ({ ...found, target: path.posix.join(path.posix.dirname(found.file), found.specifier) }))
  .filter(({ target }) => !target.startsWith('../'));

// The composition root is one room, whether it is one file or several.
const roomOf = (file: string) => (file.split('/')[0] ?? file).replace(/^app$/, 'app.ts');

describe('the house', () => {
  it('has a floor for everything in src', () => {
    const unknown = new Set(files.map(roomOf).filter((room) => room !== 'sandbox' && !(room in floors)));
    expect([...unknown]).toEqual([]);
  });

  it('imports downwards only', () => {
    const upwards = inside.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from === to || from === 'sandbox' || to === 'sandbox') return false;
      return (floors[from] ?? 0) <= (floors[to] ?? 0);
    });
    expect(upwards.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('keeps the embedded catalogue a program of its own', () => {
    const out = inside.filter(
      ({ file, target }) => roomOf(file) === 'sandbox' && roomOf(target) !== 'sandbox',
    );
    const into = inside.filter(
      ({ file, target }) =>
        roomOf(target) === 'sandbox' && !['sandbox', 'app.ts', 'commands'].includes(roomOf(file)),
    );
    expect([...out, ...into].map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('shows the demo no more of the server than a host sees', () => {
    const rooms = inside.filter(({ file, target }) => roomOf(file) === 'demo' && target.includes('/'));
    const others = rooms.filter(({ target }) => roomOf(target) !== 'demo');
    expect(others.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('lets only the server, and the demo as its host, know the MCP SDK', () => {
    const users = imports.filter(({ specifier }) => specifier.startsWith('@modelcontextprotocol/'));
    expect(users.length).toBeGreaterThan(0);
    expect([...new Set(users.map(({ file }) => roomOf(file)))].sort()).toEqual(['demo', 'mcp']);
  });
});
