import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const source = path.resolve(import.meta.dirname, '../src');

/** A file imports only from floors below its own; on its own floor, only from its own folder. */
const floors: Readonly<Record<string, number>> = {
  'cli.ts': 10,
  commands: 9,
  'app.ts': 8,
  'definitions.ts': 8,
  tools: 7,
  'resources.ts': 7,
  prompts: 7,
  mcp: 6,
  curation: 5,
  mutations: 4,
  blobs: 3,
  files: 2,
  catalogue: 3,
  connections: 3,
  ledger: 3,
  storage: 1,
  wire: 1,
  'settings.ts': 1,
  'version.ts': 1,
  // The settings name its levels.
  'log.ts': 0,
  'terminal.ts': -1,
  'machine.ts': -1,
  'errors.ts': 0,
  'clock.ts': 0,
  'canonical-json.ts': 0,
  'text.ts': 0,
  'process.ts': 0,
  'own-command.ts': 0,
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
  const statements = text.matchAll(/^(?:import|export)\s+(?:type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm);
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g);
  return [
    ...[...statements].map((found) => ({ file, specifier: found[1] ?? '' })),
    ...[...dynamic].map((found) => ({ file, specifier: found[1] ?? '' })),
  ];
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

  it('lets only mcp/ know the MCP SDK', () => {
    const users = imports.filter(({ specifier }) => specifier.startsWith('@modelcontextprotocol/'));
    expect(users.length).toBeGreaterThan(0);
    expect([...new Set(users.map(({ file }) => roomOf(file)))]).toEqual(['mcp']);
  });

  it('reads the environment in settings.ts only', () => {
    const readers = files.filter((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      return /process\.env\b/.test(text) && !['settings.ts', 'commands', 'sandbox'].includes(roomOf(file));
    });
    expect(readers).toEqual([]);
  });

  it('asks which system it is in machine.ts only, and the embedded catalogue in its own', () => {
    const askers = files.filter((file) =>
      /process\.(platform|getuid)|\bplatform\(\)|\bplatform[^;]*\} = process\b/.test(
        readFileSync(path.join(source, file), 'utf8'),
      ),
    );
    expect(askers.sort()).toEqual(['machine.ts', 'sandbox/machine.ts']);
  });

  it('writes to a terminal in terminal.ts only, other programs apart', () => {
    // The embedded catalogue is one of its own, and so is what asks the keyring.
    const programs = ['terminal.ts', 'sandbox'];
    const writers = files.filter((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      const writes = /process\.std(out|err)\.(write|end)|console\./.test(text);
      return writes && !programs.includes(roomOf(file)) && file !== 'storage/keyring.ts';
    });
    expect(writers).toEqual([]);
  });

  it('has no drawer for everything', () => {
    const drawers = /(^|\/)(utils?|common|helpers?|shared|runtime|misc)(\/|\.ts$)/;
    expect(files.filter((file) => drawers.test(file))).toEqual([]);
  });

  it('keeps files short enough to read at once', () => {
    const sizes = files
      .map((file) => ({ file, lines: readFileSync(path.join(source, file), 'utf8').split('\n').length }))
      .sort((a, b) => a.lines - b.lines);
    expect(sizes.filter(({ lines }) => lines > 301)).toEqual([]);
    expect(sizes[Math.floor(sizes.length / 2)]?.lines).toBeLessThan(200);
  });

  it('lets a stage of a mutation know only the stages before it', () => {
    const stages = ['checks', 'operations', 'answer', 'before-claim', 'delivery', 'batch', 'calls'];
    const stageOf = (file: string) => stages.indexOf(/^mutations\/([^/]+)\//.exec(file)?.[1] ?? '');
    const forwards = inside.filter(({ file, target }) => {
      const [from, to] = [stageOf(file), stageOf(target)];
      return from !== -1 && to > from;
    });
    expect(stages.filter((_, at) => !files.some((file) => stageOf(file) === at))).toEqual([]);
    expect(forwards.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('gives one exported name one meaning, the embedded catalogue apart', () => {
    const homes = new Map<string, string[]>();
    for (const file of files.filter((each) => roomOf(each) !== 'sandbox')) {
      const text = readFileSync(path.join(source, file), 'utf8');
      const exported = text.matchAll(
        /^export (?:async )?(?:function\*?|const|let|class|abstract class|interface|type|enum) (\w+)/gm,
      );
      for (const [, name = ''] of exported) {
        const at = homes.get(name) ?? [];
        // A schema and the type of what it reads share one name.
        if (!at.includes(file)) homes.set(name, [...at, file]);
      }
    }
    // Each file of commands/ exports the command that it is named after.
    homes.delete('command');
    const several = [...homes]
      .filter(([, at]) => at.length > 1)
      .map(([name, at]) => `${name}: ${at.join(', ')}`);
    expect(homes.size).toBeGreaterThan(500);
    expect(several).toEqual([]);
  });

  it('has no import cycles, types included', () => {
    const next = new Map<string, string[]>();
    for (const { file, target } of inside) next.set(file, [...(next.get(file) ?? []), target]);
    const cycles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (done.has(file) || trail.includes(file)) return;
      for (const target of next.get(file) ?? []) visit(target, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

it('keeps one of the languages of zod in what is built', () => {
  const inEnglish = 'Invalid number: must be a multiple of ';
  const inDutch = 'Ongeldig getal: moet een veelvoud van ';
  const dist = path.resolve(source, '../dist');
  const built = readdirSync(dist).filter((file) => file.endsWith('.js'));
  const holders = (words: string) =>
    built.filter((file) => readFileSync(path.join(dist, file), 'utf8').includes(words));
  const [english, dutch] = [z.locales.en(), z.locales.nl()].map(({ localeError }) =>
    localeError({ code: 'not_multiple_of', divisor: 7, input: 1, path: [] }),
  );
  expect([english, dutch]).toEqual([`${inEnglish}7`, `${inDutch}7 zijn`]);
  expect(holders(inEnglish)).toHaveLength(1);
  expect(holders(inDutch)).toEqual([]);
  const asks = files.filter((file) => /\blocales\b/.test(readFileSync(path.join(source, file), 'utf8')));
  expect(asks).toEqual([]);
});
