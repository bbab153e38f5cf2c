import type { Keyv } from 'keyv';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecords, type RecordStore } from '../../src/storage/records.ts';

/** One empty store of an engine. */
export interface RecordsUnderTest {
  /** Another handle on the same store, as another process has it. */
  handle(namespace: string): Promise<RecordStore>;
  /** Moves the clock that tells when records expire, which stands at 1,000,000 ms until then; the process's own follows. */
  pass?(milliseconds: number): Promise<void>;
  /** Makes every handle fail from now on. */
  breakDown(): void;
  end(): Promise<void>;
}

/** What every engine must do below Keyv, seen through Keyv as the rest of the program uses it. */
export function recordsContract(
  engine: string,
  { missing }: { readonly missing: string | null },
  make: () => Promise<RecordsUnderTest>,
): void {
  describe.skipIf(missing !== null)(
    `records: ${engine}${missing === null ? '' : ` (left out: ${missing})`}`,
    () => {
      let under: RecordsUnderTest;
      let engineStore: RecordStore;
      let records: Keyv;

      beforeEach(async () => {
        under = await make();
        engineStore = await under.handle('one');
        records = createRecords(engineStore);
      });
      afterEach(async () => {
        vi.useRealTimers();
        await under.end();
      });

      it('gives back what was stored, to every handle', async () => {
        const values = [
          { a: [1, null, 'ü\u{1f5bc}'] },
          'text',
          ':text',
          0,
          false,
          null,
          [],
          { value: 1, expires: 2 },
        ];
        for (const [i, value] of values.entries()) expect(await records.set(`k${i}`, value)).toBe(true);
        const other = createRecords(await under.handle('one'));
        for (const [i, value] of values.entries()) expect(await other.get(`k${i}`)).toEqual(value);
        expect(await other.get(values.map((_, i) => `k${i}`))).toEqual(values);
        expect(await records.set('k0', 'changed')).toBe(true);
        expect(await other.get('k0')).toBe('changed');
      });

      it('keeps a record for as long as it may live and no longer', async () => {
        vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
        const passTo = async (moment: number) => {
          await under.pass?.(moment - Date.now());
          vi.setSystemTime(moment);
        };
        await records.set('brief', 'b', 1_000_000);
        await records.set('long', 'l', 5_000_000);
        await records.set('ever', 'e');
        await passTo(1_900_000);
        expect(await records.get(['brief', 'long', 'ever'])).toEqual(['b', 'l', 'e']);
        await passTo(2_100_000);
        expect(await records.get('brief')).toBeUndefined();
        expect(await records.has('brief')).toBe(false);
        expect(await records.get(['brief', 'long', 'ever'])).toEqual([undefined, 'l', 'e']);
        expect(await entries(records)).toEqual([
          ['ever', 'e'],
          ['long', 'l'],
        ]);
        await records.set('long', 'without an end');
        await passTo(9_000_000);
        expect(await records.get('long')).toBe('without an end');
        await records.set('brief', 'again', 1_000_000);
        expect(await records.get('brief')).toBe('again');
      });

      it('says so when it fails, in every operation', async () => {
        await records.set('a', 1);
        under.breakDown();
        const failures: Record<string, () => Promise<unknown>> = {
          get: () => records.get('a'),
          has: () => records.has('a'),
          set: () => records.set('a', 2),
          delete: () => records.delete('a'),
          clear: () => records.clear(),
          iterator: () => entries(records),
        };
        for (const [name, act] of Object.entries(failures)) {
          await expect(act(), name).rejects.toMatchObject({ category: 'internal', code: /^store[_.]/ });
        }
      });

      it('calls a damaged record damaged, without quoting it', async () => {
        await engineStore.set('a', '{"value":"a secret that was cut');
        for (const act of [() => records.get('a'), () => records.get(['a']), () => entries(records)]) {
          const error = await act().catch((caught: unknown) => caught);
          expect(error).toMatchObject({ category: 'internal', code: 'store_unreadable' });
          expect(JSON.stringify([String(error), error])).not.toContain('secret');
        }
      });
    },
  );
}

async function entries(records: Keyv): Promise<[string, unknown][]> {
  if (records.iterator === undefined) throw new Error('Keyv does not iterate over this engine');
  const found: [string, unknown][] = [];
  for await (const entry of records.iterator(undefined)) found.push(entry);
  return found;
}
