import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBoxset, makeMessySet, makeTalentSet } from './jobs/curate.ts';
import { type Mistake, make } from './jobs/mistake.ts';
import { accountMistakes } from './jobs/mistakes-accounts.ts';
import { assetMistakes } from './jobs/mistakes-assets.ts';
import { groupMistakes } from './jobs/mistakes-groups.ts';
import { readingMistakes } from './jobs/mistakes-reading.ts';
import { setMistakes } from './jobs/mistakes-sets.ts';
import { uploadMistakes } from './jobs/mistakes-uploads.ts';
import { type Scene, startScene } from './jobs/scene.ts';
import type { Tally } from './jobs/tally.ts';

const mistakes: readonly Mistake[] = [
  ...readingMistakes,
  ...accountMistakes,
  ...uploadMistakes,
  ...assetMistakes,
  ...groupMistakes,
  ...setMistakes,
];

const tally: Tally = { calls: 0, characters: 0, refusals: 0, withoutNextStep: 0 };
let scene: Scene;

beforeAll(async () => {
  scene = await startScene(tally);
});

afterAll(async () => {
  process.stdout.write(`The jobs of a new user: ${JSON.stringify(tally)}\n`);
  await scene.end();
});

describe('a new user', () => {
  it('makes a Set of 44 messy files, and a Boxset of it with a poster', async () => {
    const setId = await makeMessySet(scene);
    await makeBoxset(scene, [setId]);
    expect(tally.withoutNextStep).toBe(0);
  });

  it('makes a Talent Set, assigns a portrait to it, and looks at it', async () => {
    await makeTalentSet(scene);
  });
});

describe('a new user’s mistakes', () => {
  it('are more than sixty, over all tools that can be called wrongly', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(60);
  });

  it.each(mistakes)('$tool: $what', async (mistake) => {
    await make(mistake, scene, scene.hosts[mistake.at ?? 'connected'], tally);
  });

  it('lead on, each of them', () => {
    expect(tally.withoutNextStep).toBe(0);
  });
});

it('has the catalogue asked by GET and POST alone: nothing is deleted', async () => {
  expect(tally.calls).toBeGreaterThan(0);
  expect([...(await scene.methods())].sort()).toEqual(['GET', 'POST']);
});
