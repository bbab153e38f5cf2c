import { describe, expect, it } from 'vitest';
import { share } from '../support/share.ts';
import { simulate } from './simulated.ts';
import { mistakes } from './simulated-world.ts';

const schedules = share(1_000, 4_000);
/** Where a mistake was found that others rarely show. */
const telling = [55_466];

describe('the connection under a seeded scheduler', () => {
  it(`is never renewed twice, lost without need or forgotten in ${schedules} schedules`, async () => {
    const seeds = [...Array.from({ length: schedules }, (_, i) => i + 1), ...telling];
    for (const seed of seeds) {
      const wrong = await simulate(seed, 'none');
      expect(wrong, `seed ${seed}`).toBeNull();
    }
  });

  it.each(mistakes.filter((mistake) => mistake !== 'none'))(
    'would notice the mistake %s',
    async (mistake) => {
      // The rarest shows in one schedule of a thousand.
      const most = 4 * schedules;
      let seed = 1;
      while (seed <= most && (await simulate(seed, mistake)) === null) seed += 1;
      expect(seed).toBeLessThanOrEqual(most);
    },
  );
});
