import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { drawPicture, type PictureRequest } from '../../src/sandbox/pictures/draw.ts';
import { styleOf } from '../../src/sandbox/pictures/style.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A seed for each face that titles are set in. */
const seeds = [
  ...new Map(
    Array.from({ length: 200 }, (_, hand) => `hand-${hand}`).map((seed) => [
      styleOf(seed).lettering.face,
      seed,
    ]),
  ).values(),
];

const latin = ['Waffle & “Vão” Ty—Office fi ffl', 'QUARTZ: 0123456789 (½) #!?'];

/** What the catalogue's data calls things, where it takes more than ASCII. */
function titles(): string[] {
  const data = path.join(root, 'src/sandbox/seed/data');
  const lines = readdirSync(data)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(path.join(data, name), 'utf8').split('\n'))
    .filter((line) => line !== '');
  const named = lines
    .map((line) => z.looseObject({ title: z.string().optional() }).parse(JSON.parse(line)).title ?? '')
    .filter((title) => /[^ -~]/.test(title));
  return [...new Set(named)];
}

it('draws every script of the catalogue with the shipped fonts as with the whole ones', async () => {
  expect(seeds.length).toBeGreaterThan(7);
  const logo = (title: string, seed: string): PictureRequest => ({
    slot: 'logo',
    title,
    subtitle: null,
    seed,
    format: 'png',
  });
  const requests = [
    ...latin.flatMap((title) => seeds.map((seed) => logo(title, seed))),
    ...titles().map((title, index) => logo(title, seeds[index % seeds.length] ?? '')),
  ];
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
    const { bytes } = await drawPicture(request);
    expect([request.title, request.seed, digest(bytes)]).toEqual([
      request.title,
      request.seed,
      shipped[index],
    ]);
  }
});

/** Draws in a process of its own, since a font once loaded serves the whole process. */
async function drawnByTheBuild(requests: readonly PictureRequest[]): Promise<string[]> {
  const built = readdirSync(path.join(root, 'dist')).find((name) => /^draw-\w+\.js$/.test(name));
  if (built === undefined) throw new Error('There is no build.');
  const program = `
    const { drawPicture } = await import(${JSON.stringify(pathToFileURL(path.join(root, 'dist', built)).href)});
    const { createHash } = await import('node:crypto');
    const drawn = [];
    for (const request of ${JSON.stringify(requests)})
      drawn.push(createHash('sha256').update((await drawPicture(request)).bytes).digest('hex'));
    process.stdout.write(JSON.stringify(drawn));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    maxBuffer: 2 ** 24,
  });
  return z.array(z.string()).parse(JSON.parse(stdout));
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
