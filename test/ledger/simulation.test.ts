import { describe, expect, it } from 'vitest';
import { share } from '../support/share.ts';
import { mistakes, simulate } from './simulated.ts';

const schedules = share(1_000, 2_500);

describe('the ledger under a seeded scheduler', () => {
  it(`says nothing untrue in ${schedules} schedules`, async () => {
    for (let seed = 1; seed <= schedules; seed += 1) {
      const wrong = await simulate(seed, 'none');
      expect(wrong, `seed ${seed}`).toBeNull();
    }
  });

  it('does the same again with the same seed', async () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      expect(await simulate(seed, 'send_what_is_known')).toBe(await simulate(seed, 'send_what_is_known'));
    }
  });

  it.each(mistakes.filter((mistake) => mistake !== 'none'))(
    'would notice the mistake %s',
    async (mistake) => {
      let seed = 1;
      while (seed <= 2500 && (await simulate(seed, mistake)) === null) seed += 1;
      expect(seed).toBeLessThanOrEqual(2500);
    },
  );
});
