import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AtomicStore, maxKeyBytes, maxPage, maxValueBytes } from '../../src/storage/atomic-store.ts';
import type { Actor } from './processes.ts';

/** One empty store of an engine. */
export interface StoreUnderTest {
  /** Another handle on the same store, as another process has it. */
  handle(): Promise<AtomicStore>;
  /** A process that works on the same store: `actor.ts` with this mode and these arguments. */
  actor(mode: string, ...rest: string[]): Actor;
  end(): Promise<void>;
}

const won = z.object({ won: z.array(z.number()), pid: z.number() });
const acknowledged = z.object({ i: z.number() });

/** What every engine of the atomic store must do. */
export function atomicStoreContract(
  engine: string,
  { missing }: { readonly missing: string | null },
  make: () => Promise<StoreUnderTest>,
): void {
  describe.skipIf(missing !== null)(
    `atomic store: ${engine}${missing === null ? '' : ` (left out: ${missing})`}`,
    () => {
      let under: StoreUnderTest;
      let store: AtomicStore;
      let other: AtomicStore;

      beforeEach(async () => {
        under = await make();
        store = await under.handle();
        other = await under.handle();
      });
      afterEach(() => under.end());

      it('lets the first claim win and shows it to every other', async () => {
        const mine = { key: 'a', value: 'mine', version: 1 };
        expect(await store.putIfAbsent('a', 'mine')).toEqual({ won: true, current: mine });
        expect(await store.putIfAbsent('a', 'mine')).toEqual({ won: false, current: mine });
        expect(await other.putIfAbsent('a', 'theirs')).toEqual({ won: false, current: mine });
        expect(await other.get('a')).toEqual(mine);
      });

      it('pages through a prefix in the order of the UTF-8 bytes', async () => {
        const keys = [
          'a',
          'a/',
          'a/Z',
          'a/b',
          'a/b/c',
          'a/ä',
          'a/\uffee',
          'a/\u{1f5bc}',
          'a/\u{10ffff}x',
          'a0',
          'b',
        ];
        for (const key of [...keys].reverse()) await store.putIfAbsent(key, `=${key}`);
        const read: string[] = [];
        for (let after: string | null = null; ; ) {
          const page = await other.scan('a/', after, 2);
          read.push(...page.map((entry) => entry.key));
          expect(page.every((entry) => entry.value === `=${entry.key}` && entry.version === 1)).toBe(true);
          if (page.length < 2) break;
          after = page.at(-1)?.key ?? null;
        }
        expect(read).toEqual(keys.slice(1, 9));
        expect((await store.scan('', null, maxPage)).map((entry) => entry.key)).toEqual(keys);
        expect((await store.scan('a', 'a0', 5)).length).toBe(0);
        expect((await store.scan('%', null, 5)).length).toBe(0);
        expect((await store.scan('a/_', null, 5)).length).toBe(0);
      });

      it('takes the longest key and value, and refuses what it could not give back unchanged', async () => {
        const longKey = 'ä'.repeat(maxKeyBytes / 2);
        const longValue = 'v'.repeat(maxValueBytes);
        await store.putIfAbsent(longKey, longValue);
        expect((await other.get(longKey))?.value).toBe(longValue);
        const refused = { category: 'internal', code: 'store_refused' };
        for (const key of ['', `${longKey}x`, 'a\nb', 'a\u0000', 'a\ud800']) {
          await expect(store.get(key)).rejects.toMatchObject(refused);
          await expect(store.putIfAbsent(key, 'x')).rejects.toMatchObject(refused);
        }
        for (const value of [`${longValue}x`, 'a\u0000b', 'a\udc00b']) {
          await expect(store.put('a', value)).rejects.toMatchObject(refused);
          await expect(store.putIfAbsent('a', value)).rejects.toMatchObject(refused);
          await expect(store.compareAndSet('a', 1, value)).rejects.toMatchObject(refused);
        }
        for (const limit of [0, -1, 1.5, maxPage + 1, Number.NaN]) {
          await expect(store.scan('', null, limit)).rejects.toMatchObject(refused);
        }
        expect(await store.get('a')).toBeNull();
      });

      it('answers as a plain map would, whichever handle is asked', async () => {
        const key = fc.constantFrom('a', 'ab', 'a/1', 'b');
        const step = fc.record({
          what: fc.constantFrom('get', 'put', 'claim', 'swap', 'scan'),
          second: fc.boolean(),
          key,
          version: fc.nat(4),
          value: fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\u0000')),
        });
        let run = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
            run += 1;
            const model = new Map<string, { value: string; version: number }>();
            for (const { what, second, key: short, version, value } of steps) {
              const at = `${run}:${short}`;
              const to = second ? other : store;
              const was = model.get(at);
              if (what === 'get') {
                expect(await to.get(at)).toEqual(was === undefined ? null : { key: at, ...was });
              } else if (what === 'put') {
                await to.put(at, value);
                model.set(at, { value, version: (was?.version ?? 0) + 1 });
              } else if (what === 'claim') {
                expect((await to.putIfAbsent(at, value)).won).toBe(was === undefined);
                if (was === undefined) model.set(at, { value, version: 1 });
              } else if (what === 'swap') {
                const { outcome } = await to.compareAndSet(at, version, value);
                expect(outcome).toBe(
                  was === undefined ? 'absent' : was.version === version ? 'swapped' : 'changed',
                );
                if (was?.version === version) model.set(at, { value, version: version + 1 });
              } else {
                const expected = [...model].filter(([name]) => name.startsWith(at)).sort();
                expect(await to.scan(at, null, 10)).toEqual(
                  expected.map(([name, now]) => ({ key: name, ...now })),
                );
              }
            }
          }),
          { numRuns: 40 },
        );
      });

      it('gives each of 300 keys to one of eight processes, and loses none of their counting', async () => {
        const actors = Array.from({ length: 8 }, () => under.actor('claim', '300', '50'));
        for (const actor of actors) expect(await actor.next()).toEqual({ ready: true });
        for (const actor of actors) actor.begin();
        const said = await Promise.all(actors.map((actor) => actor.rest()));
        const claims = said.flat().map((line) => won.parse(line));
        expect(claims.length).toBe(8);
        expect(claims.flatMap((claim) => claim.won).sort((a, b) => a - b)).toEqual(
          Array.from({ length: 300 }, (_, i) => i),
        );
        for (const { won: keys, pid } of claims) {
          for (const key of keys) expect((await store.get(`claim/${key}`))?.value).toBe(String(pid));
        }
        expect(await store.get('counter')).toEqual({ key: 'counter', value: '400', version: 401 });
      });

      const kills = 4;
      it(`has everything that it acknowledged after each of ${kills} kills of its writer`, async () => {
        let total = 0;
        for (let kill = 0; kill < kills; kill += 1) {
          const writer = under.actor('write', `kill-${kill}`);
          let last = -1;
          const enough = 3 + kill * 2;
          while (last < enough) last = acknowledged.parse(await writer.next()).i;
          const killed = writer.kill();
          for (const line of await writer.rest()) last = acknowledged.parse(line).i;
          await killed;
          for (let i = 0; i <= last; i += 1) {
            expect((await store.get(`kill-${kill}/${i}`))?.value).toBe(`${i}:${'x'.repeat(i % 3000)}`);
          }
          total += last + 1;
        }
        expect(total).toBeGreaterThan(kills * 4);
      });
    },
  );
}
