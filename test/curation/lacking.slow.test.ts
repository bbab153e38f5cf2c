import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCatalogue } from '../../src/catalogue/client.ts';
import type { SetKind } from '../../src/catalogue/records/kinds.ts';
import { createAuditor } from '../../src/curation/audit/audit-set.ts';
import { missingPlaces } from '../../src/curation/plan/entries.ts';
import { type KnownParts, setGallery } from '../../src/curation/show/gallery.ts';
import { slotNamed } from '../../src/model/slots.ts';
import { readWork } from '../../src/curation/read-work.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { isKind } from '../../src/model/kinds.ts';
import { picturesOf, setOf } from '../../src/model/set.ts';
import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let sandbox: Sandbox;
let catalogue: ReturnType<typeof createCatalogue>;

beforeAll(async () => {
  folder = await temporaryFolder();
  await fillFolder(folder.path);
  sandbox = await serveSandbox({ dataDir: folder.path, port: 0 });
  const address = { baseUrl: sandbox.baseUrl, assetOrigin: sandbox.baseUrl };
  catalogue = createCatalogue({ locate: async () => address, userAgent: 'test' });
});
afterAll(async () => {
  await catalogue.close();
  await sandbox.close();
  await folder.remove();
});

const kinds: readonly SetKind[] = ['show_set', 'movie_set', 'game_set', 'collection_set', 'brand_set'];
const today = new Date().toISOString().slice(0, 10);
const deadline = deadlineIn(600_000);

async function inGallery(kind: SetKind, id: number): Promise<number> {
  const set = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
  const parts: KnownParts =
    set.work === null || (set.work.kind !== 'show' && set.work.kind !== 'collection')
      ? { seasons: [], films: [] }
      : (await readWork(catalogue, { kind: set.work.kind, id: set.work.id }, deadline)).work;
  return setGallery(set, { slot: null, parts, today })
    .blocks.flatMap((block) => (block.block === 'pictures' ? block.rows.flat() : []))
    .filter((cell) => cell.cell === 'gap' && cell.state === 'missing').length;
}

async function inAudit(kind: SetKind, id: number): Promise<number> {
  const auditor = createAuditor(
    { catalogue, owned: null, bytes: new Map(), deadline, now: Date.now, hasTime: () => true },
    false,
  );
  const { findings } = await auditor.audit({ kind, id });
  return findings.filter(({ code }) => code === 'missing').reduce((sum, { count }) => sum + count, 0);
}

/** As plans that add to the Set count it, slot by slot, with a folder that adds nothing. */
async function inPlans(kind: SetKind, id: number): Promise<number | null> {
  const set = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
  const of = set.work?.kind;
  if (set.work === null || of === undefined || !isKind(of)) return null;
  const pictures = picturesOf(set);
  const read = await readWork(catalogue, { kind: of, id: set.work.id }, deadline);
  return [...new Set(pictures.map(({ slot }) => slot))].reduce(
    (sum, slot) => sum + missingPlaces([], read, slotNamed(slot), pictures, today).length,
    0,
  );
}

it('is the same number on a page, in an audit and in plans, for every Set that a catalogue comes with', async () => {
  const every = sandbox.database.all('SELECT id, kind FROM sets ORDER BY id').flatMap((row) => {
    const kind = kinds.find((one) => one === row.text('kind'));
    return kind === undefined ? [] : [{ kind, id: row.integer('id') }];
  });
  const told: string[] = [];
  let lacking = 0;
  for (const { kind, id } of every) {
    const page = await inGallery(kind, id);
    const audit = await inAudit(kind, id);
    const plans = await inPlans(kind, id);
    if (audit > 0) lacking += 1;
    if (page !== audit || (plans !== null && plans !== audit))
      told.push(`${kind} ${id}: page ${page}, audit ${audit}, plans ${plans}`);
  }
  expect(told).toEqual([]);
  expect(every.length).toBeGreaterThan(100);
  expect(lacking).toBeGreaterThan(10);
});
