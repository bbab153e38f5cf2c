import { expect, it } from 'vitest';
import { fromTheBeginning } from '../../../src/curation/changes/feeds.ts';
import { coverageOf } from '../../../src/curation/changes/readings.ts';

const ended = (oldest: string, newest: string) =>
  ({ ...fromTheBeginning, state: 'ended', oldest, newest }) as const;
const from = Date.parse('2026-11-01T00:00:00Z');

it('tells from when on both feeds were seen: of the two the one that reaches less far back', () => {
  const coverage = coverageOf({
    ...{ version: 1, asked: { scope: 'all', changeType: null, slot: null } },
    ...{ since: '2026-11-01T00:00:00.000Z', sinceLook: false, before: [], parts: [], done: [] },
    from: { assets: from, sets: from },
    feeds: {
      assets: ended('2026-10-01T00:00:00Z', '2026-11-20T00:00:00Z'),
      sets: ended('2026-11-10T00:00:00Z', '2026-11-21T00:00:00Z'),
    },
  });
  expect(coverage).toEqual({
    oldest: '2026-11-10T00:00:00Z',
    newest: '2026-11-21T00:00:00Z',
    complete: false,
  });
});
