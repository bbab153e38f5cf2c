import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { drawPicture, type Drawing } from '../../src/sandbox/pictures/draw.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** They set titles in both fonts. */
const creators = ['halftone-hare', 'azulejo', 'tinta_china'];

const latin = ['Waffle & “Vão” Ty—Office fi ffl', 'QUARTZ: 0123456789 (½) #!?'];

/** What the catalogue's data calls things, as far as a title has a character that none before it had. */
function titles(): string[] {
  const data = path.join(root, 'src/sandbox/seed/data');
  const lines = readdirSync(data)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(data, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
  const named = lines
    .map((line) => z.looseObject({ title: z.string().optional() }).parse(JSON.parse(line)).title ?? '')
    .filter((title) => /[^ -~]/.test(title));
  const seen = new Set<string>();
  return named.filter((title) => {
    const before = seen.size;
    for (const character of title) seen.add(character);
    return seen.size > before;
  });
}

it('draws every script of the catalogue with the shipped fonts as with the whole ones', async () => {
  const requests = [...latin, ...titles()].flatMap((title) =>
    creators.map(
      (creator): Drawing => ({
        slot: 'logo',
        title,
        subtitle: null,
        creator,
        languageCode: null,
        frames: 1,
        series: 'series',
        seed: 'seed',
        format: 'png',
      }),
    ),
  );
  for (const script of [
    'Arab',
    'Armn',
    'Cyrl',
    'Deva',
    'Geor',
    'Grek',
    'Hang',
    'Hani',
    'Hebr',
    'Hira',
    'Thai',
  ])
    expect(requests.some(({ title }) => new RegExp(`\\p{sc=${script}}`, 'u').test(title))).toBe(true);
  const shipped = await drawnByTheBuild(requests);
  expect(shipped).toHaveLength(requests.length);
  for (const [index, request] of requests.entries()) {
    expect(digest(await drawPicture(request)), `${request.title} ${request.creator}`).toBe(shipped[index]);
  }
});

/** Draws in a process of its own, since a font once loaded serves the whole process. */
async function drawnByTheBuild(requests: readonly Drawing[]): Promise<string[]> {
  const built = readdirSync(path.join(root, 'dist')).find((name) => /^draw-\w+\.js$/.test(name));
  if (built === undefined) throw new Error('There is no build.');
  const program = `
    import { createHash } from 'node:crypto';
    import { text } from 'node:stream/consumers';
    const { drawPicture } = await import(${JSON.stringify(pathToFileURL(path.join(root, 'dist', built)).href)});
    const drawn = [];
    for (const request of JSON.parse(await text(process.stdin)))
      drawn.push(createHash('sha256').update(await drawPicture(request)).digest('hex'));
    process.stdout.write(JSON.stringify(drawn));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(requests));
  const stdout = await text(child.stdout);
  return z.array(z.string()).parse(JSON.parse(stdout));
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
