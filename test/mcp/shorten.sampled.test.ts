import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../support/share.ts';
import { shortenAnswer } from '../../src/mcp/shorten.ts';

const room = 18_000;
const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

type Json = Record<string, unknown>;

const sizeOf = ({ value, cut }: ReturnType<typeof shortenAnswer>) =>
  JSON.stringify({ ...value, omitted: [...(Array.isArray(value.omitted) ? value.omitted : []), ...cut] })
    .length;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 2, unit: 'binary' }), fc.nat(40_000))
    .map(([s, n]) => s.repeat(n)),
);
const leaf = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null));
const many = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(
    fc.array(value, { maxLength: 4 }),
    fc.tuple(value, fc.nat(200)).map(([one, n]) => Array.from({ length: n }, () => one)),
    fc.dictionary(fc.string({ maxLength: 200 }), value, { maxKeys: 4 }),
    fc
      .tuple(value, fc.nat(300))
      .map(([one, n]) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`m${at}Id`, one]))),
  );
const short = fc.oneof(fc.string({ maxLength: 40 }), fc.double(), fc.constant(null));
const anything = fc.oneof(leaf, many(leaf), many(many(short)));

const next = { tool: 'get_mutation_status', arguments: { clientMutationId: uuid }, why: 'It tells.' };

describe('an answer that is too long', () => {
  it('fits whatever it holds, and keeps what a caller goes on with', () => {
    fc.assert(
      fc.property(anything, anything, anything, (data, details, requests) => {
        const answer: Json = {
          outcome: 'unresolved',
          clientMutationId: uuid,
          data,
          updatedAt: '2026-11-16T00:00:00Z',
          error: { code: 'x', message: 'y', details },
          requests: [{ body: requests }],
          omitted: [],
          nextCursor: 'c'.repeat(300),
          next,
        };
        const fitted = shortenAnswer(answer, room);
        expect(sizeOf(fitted)).toBeLessThanOrEqual(room);
        const { outcome, clientMutationId, updatedAt, nextCursor } = answer;
        expect(fitted.value).toMatchObject({ outcome, clientMutationId, updatedAt, nextCursor, next });
        if (JSON.stringify(answer).length <= room) expect(fitted).toMatchObject({ value: answer, cut: [] });
        else expect(fitted.cut.length).toBeGreaterThan(0);
        for (const { total, returned } of fitted.cut) expect(returned).toBeLessThan(total);
      }),
      { numRuns: share(20, 200) },
    );
  });

  it('loses of its long texts first, each as little as is needed', () => {
    const answer = { data: { id: 1, overview: 'o'.repeat(60_000), title: 'Title', seasons: [1, 2, 3] } };
    const { value, cut } = shortenAnswer(answer, room);
    expect(value).toMatchObject({ data: { id: 1, title: 'Title', seasons: [1, 2, 3] } });
    expect(cut).toEqual([
      { section: 'data.overview', total: 60_000, returned: expect.any(Number), unit: 'characters' },
    ]);
    expect(cut[0]?.returned).toBeGreaterThan(17_000);
  });

  it('loses of its lists then, of what it pages through last, and of raw requests after that', () => {
    const many = (word: string) => Array.from({ length: 2_000 }, (_, at) => `${word} ${at}`);
    const items = Array.from({ length: 25 }, (_, at) => ({ itemId: `${uuid}${at}`, status: 'failed' }));
    const first = shortenAnswer(
      { items, warnings: many('warning'), requests: [{ body: { ids: [1, 2] } }] },
      room,
    );
    expect(first.cut.map(({ section }) => section)).toEqual(['warnings']);
    expect(first.value).toMatchObject({ items, requests: [{ body: { ids: [1, 2] } }] });
    const second = shortenAnswer({ warnings: ['one'], requests: many('request') }, room);
    expect(second.value.warnings).toEqual([]);
    expect(second.cut.map(({ section }) => section)).toEqual(['warnings', 'requests']);
  });

  it('keeps a revision as long as one can be, and no longer', () => {
    const of = (length: number) => ({ updatedAt: 'r'.repeat(length), data: 'd'.repeat(30_000) });
    expect(shortenAnswer(of(500), room).value.updatedAt).toBe('r'.repeat(500));
    const { value, cut } = shortenAnswer({ updatedAt: 'r'.repeat(60_000), outcome: 'succeeded' }, room);
    expect(value).toMatchObject({
      outcome: 'succeeded',
      updatedAt: expect.stringMatching(/… \(60000 characters\)$/),
    });
    expect(cut).toMatchObject([{ section: 'updatedAt', total: 60_000 }]);
  });

  it('leaves out no part of a call', () => {
    const call = {
      tool: 'view_artwork',
      arguments: { items: Array.from({ length: 24 }, () => ({ file: 'f'.repeat(250) })) },
    };
    const answer = {
      data: 'd'.repeat(40_000),
      view: [call],
      omitted: [{ section: 'a', total: 2, returned: 1, next: call }],
    };
    const { value } = shortenAnswer(answer, room);
    expect(value).toMatchObject({ view: [call], omitted: [{ next: call }] });
  });

  it('takes millions of values in its stride', () => {
    const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`m${at}`, at]));
    const answer = { data: Array.from({ length: 1_000_000 }, (_, at) => at), wide, outcome: 'succeeded' };
    const { value, cut } = shortenAnswer(answer, room);
    expect(value.outcome).toBe('succeeded');
    expect(cut.find(({ section }) => section === 'data')?.total).toBe(1_000_000);
  });
});
