import { addAsset, createSet, editAsset, editSet, type NewAsset } from '../../src/sandbox/artwork.ts';
import { type Kind, kinds, type Slot, targetOf } from '../../src/sandbox/model.ts';
import type { Store } from '../../src/sandbox/store.ts';
import type { Random } from './random.ts';
import { type Ids, inTransactions } from './works.ts';

/** What events can be about, and how often each kind is, of a hundred. */
export type Targets = Readonly<Partial<Record<Kind, { readonly ids: Ids; readonly share: number }>>>;

const spanMs = 45 * 86_400_000;

interface Creator {
  readonly id: number;
  readonly name: string;
}

/** What the catalogue's own works have, and generated ones get too. */
interface Own {
  readonly creators: readonly Creator[];
  /** The form of a drawn picture, by slot. */
  readonly forms: ReadonlyMap<string, Pick<NewAsset, 'format' | 'file' | 'width' | 'height'>>;
}

interface Made {
  readonly id: string;
  readonly kind: Kind;
  readonly targetId: number;
  readonly slot: Slot;
}

/**
 * `events` changes of the weeks before `now`, oldest first and evenly in time: four of five of Assets (added,
 * replaced, edited), the others of Sets (made, edited). They are made by the functions that change the
 * catalogue while it runs, so that feeds, Sets and Assets agree.
 */
export function generateEvents(
  store: Store,
  random: Random,
  options: { readonly events: number; readonly now: Date; readonly targets: Targets },
): void {
  const { events, now, targets } = options;
  const own = ownOf(store);
  const sets: number[] = [];
  /** The last ones made, to replace and edit; not all, so that memory stays flat. */
  const recent: Made[] = [];
  const at = (index: number) =>
    new Date(now.getTime() - spanMs + Math.floor(((index + 1) * (spanMs - 1_000)) / events)).toISOString();

  inTransactions(
    store,
    events,
    (index) => {
      if (random.chance(0.2)) changeSet(store, random, { targets, own }, sets, at(index));
      else changeAsset(store, random, { targets, own }, { sets, recent }, at(index));
    },
    5_000,
  );
}

function ownOf(store: Store): Own {
  const forms = store.all('SELECT slot, min(format) AS format, width, height FROM assets GROUP BY slot');
  return {
    creators: store
      .all('SELECT id, name FROM accounts ORDER BY id')
      .map((row) => ({ id: row.integer('id'), name: row.text('name') })),
    forms: new Map(
      forms.map((row) => [
        row.text('slot'),
        {
          format: row.text('format') === 'jpeg' ? 'jpeg' : 'png',
          file: null,
          width: row.integer('width'),
          height: row.integer('height'),
        },
      ]),
    ),
  };
}

function changeSet(
  store: Store,
  random: Random,
  { targets, own }: { readonly targets: Targets; readonly own: Own },
  sets: number[],
  at: string,
): void {
  const known = sets[random.below(sets.length)];
  if (known !== undefined && random.chance(0.5)) {
    editSet(store, known, {}, at);
    return;
  }
  const kind = random.one(['show', 'movie', 'movie', 'game', 'collection']);
  const { ids } = targets[kind] ?? {};
  if (ids === undefined || ids.count === 0) {
    changeSet(store, random, { targets, own }, sets, at);
    return;
  }
  const id = ids.first + random.below(ids.count);
  const creator = own.creators[random.below(own.creators.length)];
  const work = targetOf(store, kind, id).title;
  sets.push(
    createSet(store, {
      kind: `${kind}_set`,
      target: { kind, id },
      members: [],
      title: `${work} · ${creator?.name ?? 'nobody'}`,
      description: null,
      ownerId: creator?.id ?? null,
      languageCode: 'en',
      editionId: null,
      finalised: true,
      createdAt: at,
      publicFrom: at,
    }),
  );
}

function changeAsset(
  store: Store,
  random: Random,
  { targets, own }: { readonly targets: Targets; readonly own: Own },
  { sets, recent }: { readonly sets: readonly number[]; readonly recent: Made[] },
  at: string,
): void {
  const place = random.below(recent.length);
  const previous = recent[place];
  const next = previous === undefined ? 1 : random.next();
  if (previous !== undefined && next < 0.1) {
    editAsset(store, previous.id, { languageCode: 'en' }, at);
    return;
  }
  const replaced = next < 0.45 ? previous : undefined;
  const { kind, targetId, slot } = replaced ?? drawTarget(random, targets);
  const id = random.uuid();
  const creator = own.creators[random.below(own.creators.length)];
  const form = own.forms.get(slot);
  if (form === undefined) throw new RangeError(`The catalogue has no ${slot}.`);
  const asset = {
    id,
    slot,
    targetKind: kind,
    targetId,
    // A Set is of one work; that some of these are of another is no matter to what feeds and titles show.
    setId: random.chance(0.3) ? (sets[random.below(sets.length)] ?? null) : null,
    ownerId: creator?.id ?? null,
    languageCode: null,
    editionId: null,
    ...form,
    createdAt: at,
    publicFrom: at,
  };
  addAsset(store, asset, replaced?.id ?? null);
  const made = { id, kind, targetId, slot };
  if (replaced === undefined && recent.length < 2_000) recent.push(made);
  else recent[place] = made;
}

function drawTarget(random: Random, targets: Targets): Omit<Made, 'id'> {
  let left = random.below(100);
  for (const [kind, target] of kindsOf(targets)) {
    left -= target.share;
    if (left >= 0 || target.ids.count === 0) continue;
    const slots: readonly Slot[] = kinds[kind].slots;
    const slot = slots[random.below(slots.length)] ?? 'poster';
    return { kind, targetId: target.ids.first + random.below(target.ids.count), slot };
  }
  return drawTarget(random, targets);
}

function kindsOf(targets: Targets) {
  return (['show', 'season', 'episode', 'movie', 'collection', 'game', 'person', 'network'] as const).flatMap(
    (kind) => {
      const target = targets[kind];
      return target === undefined ? [] : [[kind, target] as const];
    },
  );
}
