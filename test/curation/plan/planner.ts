import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Catalogue } from '../../../src/catalogue/client.ts';
import { entityRecord } from '../../../src/catalogue/records/kinds.ts';
import { type OwnRecords, ownRecords, type RecordOwner } from '../../../src/curation/own.ts';
import { type Made, makePlan, type PlanDependencies } from '../../../src/curation/plan/make-plan.ts';
import type { Plan } from '../../../src/curation/plan/plan.ts';
import { createPlanStore, type PlanStore } from '../../../src/curation/plan/store.ts';
import type { NamedTarget } from '../../../src/curation/read-work.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { openStore, type Store } from '../../../src/store/open.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** What a catalogue shows, by path. */
export type Shown = Readonly<Record<string, object>>;

/** Somebody with a store and a folder that is open for uploads. */
export interface Planner {
  readonly folder: string;
  readonly storage: Store;
  records(owner?: RecordOwner): OwnRecords;
  store(owner?: RecordOwner): PlanStore;
  make(catalogue: Shown, entry: NamedTarget, changes?: Partial<PlanDependencies & Wish>): Promise<Made>;
  leave(): Promise<void>;
}

interface Wish {
  readonly folder: string;
  readonly slot: string | null;
  readonly setId: number | null;
}

export const owner: RecordOwner = { service: 'https://catalogue.example', user: 'default', account: null };

export async function startPlanner(): Promise<Planner> {
  const home = await temporaryFolder();
  const folder = path.join(home.path, 'pictures');
  await mkdir(folder);
  const storage = await openStore({ home: path.join(home.path, 'data'), keyring: null });
  const records = (of = owner) => ownRecords(storage.sql, 'plans', of);
  const store = (of = owner) => createPlanStore(records(of));
  return {
    folder,
    storage,
    records,
    store,
    make(catalogue, entry, changes = {}) {
      const { folder: chosen = folder, slot = null, setId = null, ...means } = changes;
      return makePlan(
        {
          catalogue: reads(catalogue),
          roots: { configured: [folder], host: [] },
          store: store(),
          owned: { readSet: none, readAsset: none },
          knownBytes: async () => new Map(),
          deadline: deadlineIn(45_000),
          progress: () => {},
          ...means,
        },
        { folder: chosen, entry, slot, alsoCalled: [], setId, asked: { folder: chosen } },
      );
    },
    async leave() {
      storage.close();
      await home.remove();
    },
  };
}

export function planIn(made: Made): Plan {
  if (!('plan' in made)) throw new Error(`Only ${made.reading.done} of ${made.reading.of} files were read.`);
  return made.plan;
}

export function reads(shown: Shown): Pick<Catalogue, 'readEntity'> {
  const readEntity: Catalogue['readEntity'] = async (kind, id) => {
    const record = shown[`${kind} ${id}`];
    if (record !== undefined) return entityRecord.parse({ id, ...record });
    throw new ArtworkError('not_found', `There is no ${kind} ${id}.`, { status: 404 });
  };
  return { readEntity };
}

async function none(): Promise<never> {
  throw new ArtworkError('not_found', 'There is nothing of one’s own here.');
}

/** A show whose seasons have so many episodes each; season and episode ids follow from their numbers. */
export function showOf(id: number, title: string, counts: Readonly<Record<number, number>>): Shown {
  const numbers = Object.keys(counts).map(Number);
  const seasonId = (number: number) => id * 100 + number;
  const seasons = numbers.map((number) => {
    const episodes = Array.from({ length: counts[number] ?? 0 }, (_, at) => ({
      id: seasonId(number) * 1_000 + at + 1,
      title: `Part ${at + 1} of ${number}`,
      episodeNumber: at + 1,
    }));
    const show = { id, title };
    return [
      `season ${seasonId(number)}`,
      { seasonNumber: number, title: `Season ${number}`, show, episodes },
    ];
  });
  const listed = numbers.map((number) => ({ id: seasonId(number), seasonNumber: number }));
  return { [`show ${id}`]: { title, year: 2020, seasons: listed }, ...Object.fromEntries(seasons) };
}

export function episodeId(show: number, season: number, number: number): number {
  return (show * 100 + season) * 1_000 + number;
}
