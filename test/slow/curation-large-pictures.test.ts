import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { nearlyTooLarge, tooLarge } from './large-pictures.ts';

const answer = z.object({
  told: z.record(z.string(), z.object({ shown: z.string(), warnings: z.array(z.string()) })),
  mostMiB: z.number(),
});

/** Of all pictures that are decoded at one time. */
const mostDecodedMiB = 256;
/** What the process takes beside what is decoded: itself, its libraries, the files as they are, what is made. */
const besidesMiB = 300;

it('memory stays bounded however many large pictures are opened at once', async () => {
  const [folder, built] = await Promise.all([
    temporaryFolder(),
    bundle({ decoding: 'test/curation/show/decoding-process.ts' }),
  ]);
  onTestFinished(async () => {
    await Promise.all([folder.remove(), built.remove()]);
  });
  for (const [name, make] of Object.entries({ ...tooLarge, ...nearlyTooLarge })) {
    const picture = await make();
    expect(picture.length).toBeLessThan(3_000_000);
    await writeFile(path.join(folder.path, name), picture);
  }
  const { stdout } = await promisify(execFile)(process.execPath, [built.program('decoding'), folder.path]);
  const { told, mostMiB } = answer.parse(JSON.parse(stdout));
  process.stdout.write(
    `the most memory for ${Object.keys(told).length} pictures: ${Math.round(mostMiB)} MiB\n`,
  );
  for (const name of Object.keys(tooLarge)) {
    expect(told[name]).toEqual({
      shown: expect.stringContaining('MiB'),
      warnings: ['not_decoded'],
    });
  }
  for (const name of Object.keys(nearlyTooLarge)) {
    expect({ name, ...told[name] }).toEqual({ name, shown: 'shown 256', warnings: ['blank'] });
  }
  expect(mostMiB).toBeLessThan(mostDecodedMiB + besidesMiB);
});
