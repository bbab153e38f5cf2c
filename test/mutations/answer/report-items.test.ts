import { describe, expect, it } from 'vitest';
import { firstItems, pageOfItems } from '../../../src/mutations/answer/items.ts';

const itemOf = (at: number, status: string) => ({
  itemId: `3fa85f64-5717-4562-b3fc-2c963f66a${String(at).padStart(3, '0')}`,
  filename: `card ${at}.png`,
  target: { kind: 'episode', id: at, title: `S01E${at} · Objects in Space` },
  slot: 'titlecard',
  status,
});

/** 62 that succeeded, with 2 that failed and 1 that is not settled among them. */
const items = Array.from({ length: 65 }, (_, at) =>
  itemOf(at, at === 30 || at === 40 ? 'failed' : at === 50 ? 'processing' : 'succeeded'),
);

describe('the items of a submission', () => {
  it('are told unsettled and failed first, and of what succeeded a few', () => {
    const page = pageOfItems(items, firstItems);
    expect(page.counts).toEqual({ succeeded: 62, failed: 2, processing: 1 });
    expect(page.items.slice(0, 3).map(({ target }) => target.id)).toEqual([50, 30, 40]);
    expect(JSON.stringify(page.items.slice(3)).length).toBeLessThan(1_600);
    expect(page.items.length).toBeGreaterThan(3);
  });

  it('are not left out where they failed, however many succeeded', () => {
    const failed = Array.from({ length: 20 }, (_, at) => itemOf(at + 100, 'failed'));
    expect(pageOfItems([...items, ...failed], firstItems).items.slice(1, 23)).toEqual(
      expect.arrayContaining(failed),
    );
  });

  it('come each once, 25 on a page', () => {
    const seen: number[] = [];
    let page = pageOfItems(items, firstItems);
    seen.push(...page.items.map(({ target }) => target.id));
    while (page.nextItems !== null) {
      page = pageOfItems(items, { after: page.nextItems, limit: 25 });
      expect(page.items.length).toBeLessThanOrEqual(25);
      seen.push(...page.items.map(({ target }) => target.id));
    }
    expect(seen.sort((one, other) => one - other)).toEqual(items.map(({ target }) => target.id));
  });
});
