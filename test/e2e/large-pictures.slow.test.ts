import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startServer, toldBy } from '../support/client.ts';
import { nearlyTooLarge, tooLarge } from '../support/large-pictures.ts';
import { temporaryFolder } from '../support/temporary.ts';

const answer = z.object({
  data: z.array(z.object({ label: z.string(), error: z.object({ message: z.string() }).optional() })),
});

/** The most that the process has taken so far; null where the system does not tell. */
async function mostMiB(pid: number): Promise<number | null> {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return null;
  const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(await readFile(status, 'utf8')) ?? [];
  return kibibytes === undefined ? null : Number(kibibytes) / 1024;
}

it('view_artwork shows the rest of a sheet beside pictures that are too large to decode, in bounded memory', async () => {
  const folder = await temporaryFolder();
  const server = await startServer({ ARTWORK_UPLOAD_ROOTS: folder.path });
  onTestFinished(async () => {
    await server.stop();
    await folder.remove();
  });
  const small = () => sharp({ create: { width: 600, height: 900, channels: 3, background: '#a33' } });
  const made = { ...tooLarge, ...nearlyTooLarge, 'small.png': () => small().png().toBuffer() };
  const items: { file: string }[] = [];
  for (const [name, make] of Object.entries(made)) {
    const file = path.join(folder.path, name);
    await writeFile(file, await make());
    items.push({ file: pathToFileURL(file).href });
  }
  const result = await server.call('view_artwork', { items });
  expect(result.isError).toBeUndefined();
  expect(result.content.filter(({ type }) => type === 'image')).toHaveLength(1);
  const { data } = answer.parse(toldBy(result));
  const reasons = new Map(data.map(({ label, error }) => [label, error?.message]));
  for (const name of Object.keys(made)) {
    if (name in tooLarge) expect(reasons.get(name)).toMatch(/7\d\d MiB of memory.*Export it smaller/);
    else expect({ name, error: reasons.get(name) }).toEqual({ name, error: undefined });
  }
  const most = await mostMiB(server.pid);
  if (most === null) process.stdout.write('How much memory it took is not checked: only Linux tells.\n');
  else expect(most).toBeLessThan(256 + 350);
  process.stdout.write(`the most memory of the server: ${Math.round(most ?? 0)} MiB\n`);
});
