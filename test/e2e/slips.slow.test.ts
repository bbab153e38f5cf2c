import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScene } from './jobs/scene.ts';
import { make, type SlipScene, withSlips } from './jobs/slip.ts';
import { slips } from './jobs/slips.ts';

let scene: SlipScene;

beforeAll(async () => {
  scene = await withSlips(await startScene({ calls: 0, characters: 0, refusals: 0, withoutNextStep: 0 }));
});

afterAll(() => scene?.end());

describe('a slip', () => {
  it('of each kind that people and models make is in the table', () => {
    expect(slips.length).toBeGreaterThanOrEqual(60);
  });

  it.each(slips)('$tool: $what', (slip) => make(slip, scene));
});
