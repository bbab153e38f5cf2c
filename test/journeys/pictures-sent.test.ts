import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Answer } from '../support/host.ts';
import { dig, listAt, type Owner, owner } from '../support/person.ts';
import { someCards, someWork, watchFrom } from '../support/subjects.ts';
import { animatedPng, writeAnimation } from '../support/unique-pictures.ts';

const size = { width: 1000, height: 1500 };
/** Shades that no decoder guesses, with something on them. */
const poster = () =>
  sharp({ create: { ...size, channels: 3, background: '#357', noise: { type: 'gaussian', sigma: 30 } } });
const clear = () => sharp({ create: { width: 800, height: 310, channels: 4, background: '#a00f' } });

async function damaged(): Promise<Buffer> {
  const whole = await poster().jpeg({ quality: 90 }).toBuffer();
  const third = Math.floor(whole.length / 3);
  return Buffer.concat([whole.subarray(0, third), whole.subarray(2 * third)]);
}

const warnings = (answer: Answer) => listAt(answer, 'warnings').map((one) => dig(one, 'code'));

/** Asks what an upload of these bytes would send. */
async function wouldSend(me: Owner, slot: string, bytes: Buffer, more: object = {}) {
  const file = path.join(me.uploads, 'picture');
  await writeFile(file, bytes);
  const target = slot === 'logo' ? await someWork(me, 'show') : await someWork(me, 'category');
  const expectedUpdatedAt = 'none';
  const call = { clientMutationId: await me.newId(), expectedUpdatedAt, operation: 'add', slot, file };
  return me.call('upload_asset', { ...call, ...target, dryRun: true, ...more });
}

it.each([
  ['of colours for print', 'poster', () => poster().toColourspace('cmyk').jpeg().toBuffer(), 'cmyk'],
  ['an animated PNG', 'poster', async () => animatedPng(await poster().png().toBuffer()), 'animated'],
  ['opaque, with a channel for transparency', 'logo', () => clear().png().toBuffer(), 'no_transparency'],
] as const)('a picture %s is told before it is sent', async (_, slot, draw, code) => {
  const me = await owner();
  const told = await wouldSend(me, slot, await draw());
  expect(told.outcome).toBe('dry_run');
  expect(warnings(told)).toContain(code);
});

it('a picture that is damaged inside is refused before anything is sent, in a call and in a dry run', async () => {
  const me = await owner();
  const seen = await watchFrom(me);
  for (const dryRun of [true, false]) {
    const refused = await wouldSend(me, 'poster', await damaged(), { dryRun });
    expect(refused.error).toMatchObject({ category: 'upload_refused', details: { reason: 'damaged' } });
  }
  expect(await seen.posts()).toEqual([]);
});

it('a frame that a picture does not have is refused before anything is sent', async () => {
  const me = await owner();
  const seen = await watchFrom(me);
  const { showId, files } = await someCards(me, 1);
  const set = async (frame: number) =>
    me.call('create_media_set', {
      ...{ clientMutationId: await me.newId(), expectedUpdatedAt: 'none' },
      ...{ entryTargetKind: 'show', entryTargetId: showId, titleBase: `Frames ${frame}` },
      ...{ languageCode: 'en', finalised: false, dryRun: true },
      declaredFiles: files.map((one) => ({ ...one, file: moving, selectedSourceFrame: frame })),
    });
  const moving = await writeAnimation(me.uploads);
  expect((await set(2)).outcome).toBe('dry_run');
  expect((await set(3)).error).toMatchObject({ category: 'invalid_arguments' });
  expect(await seen.posts()).toEqual([]);
});
