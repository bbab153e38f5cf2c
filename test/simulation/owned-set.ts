import { Versions } from './weather.ts';

/** Where a picture goes. */
export interface Place {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/** No kind that the interface document names: what is there, and what it has, the service alone judges. */
export const targetKind = 'reel';
export const setId = 7;
export const groupId = 8;

export function placeOf(targetId: number): Place {
  return { targetKind, targetId, slot: 'poster' };
}

const idOf = (number: number) => `0b0b0b0b-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The Assets that are there before anything is changed. */
export const assets = {
  /** Replaced by an item of an edit. */
  replaced: { id: idOf(1), place: placeOf(1) },
  relabelled: { id: idOf(2), place: placeOf(2) },
  /** In no Set. */
  assigned: { id: idOf(3), place: null },
  /** Of single changes: its metadata is edited; it is replaced. */
  edited: { id: idOf(4), place: null },
  superseded: { id: idOf(5), place: null },
} as const;

/** What an item of a grouped edit asks for. */
export interface Change extends Place {
  readonly operation: 'add' | 'replace' | 'assign' | 'asset_metadata';
  readonly expectedPreviousAssetId: string | null;
  readonly existingAssetId: string | null;
  readonly expectedAssetUpdatedAt: string | null;
}

interface Asset {
  readonly revision: number;
  readonly languageCode: string;
}

interface Titled {
  readonly revision: number;
  readonly title: string;
}

/** What the account owns on the service, as it stands and as it stood: a Set, a group, Assets. */
export class OwnedThings {
  readonly #time: () => number;
  readonly #set = new Versions<Titled>({ revision: 1, title: 'Old' });
  readonly #group = new Versions<Titled>({ revision: 1, title: 'Old' });
  readonly #assets = new Map<string, Versions<Asset>>();
  /** The Asset in each place of the Set. */
  readonly #places = new Map<string, string>();
  #made = 100;

  constructor(time: () => number) {
    this.#time = time;
    for (const { id, place } of Object.values(assets)) {
      this.#assets.set(id, new Versions({ revision: 1, languageCode: 'en' }));
      if (place !== null) this.#places.set(nameOf(place), id);
    }
  }

  /** @param at as of which time, ms; left out: as it is */
  set(at = Number.POSITIVE_INFINITY) {
    const { revision, title } = this.#set.at(at);
    return { id: String(setId), updatedAt: `s${revision}`, title };
  }

  group(at = Number.POSITIVE_INFINITY) {
    const { revision, title } = this.#group.at(at);
    return { id: String(groupId), updatedAt: `g${revision}`, title, setIds: [] };
  }

  asset(id: string, at = Number.POSITIVE_INFINITY) {
    const asset = this.#assets.get(id)?.at(at);
    if (asset === undefined) return null;
    return { id, updatedAt: `a${asset.revision}`, languageCode: asset.languageCode };
  }

  changeSet(title = this.#set.latest.title): void {
    this.#set.set({ revision: this.#set.latest.revision + 1, title }, this.#time());
  }

  changeGroup(title = this.#group.latest.title): void {
    this.#group.set({ revision: this.#group.latest.revision + 1, title }, this.#time());
  }

  changeAsset(id: string, languageCode = this.asset(id)?.languageCode ?? ''): void {
    const asset = this.#assets.get(id);
    asset?.set({ revision: asset.latest.revision + 1, languageCode }, this.#time());
  }

  newAsset(): string {
    this.#made += 1;
    const id = idOf(this.#made);
    this.#assets.set(id, new Versions({ revision: 1, languageCode: 'en' }));
    return id;
  }

  /** Whether anything that a grouped edit names is not at its first revision any more. */
  hasChanged(): boolean {
    const named = [assets.replaced, assets.relabelled, assets.assigned];
    return this.set().updatedAt !== 's1' || named.some(({ id }) => this.asset(id)?.updatedAt !== 'a1');
  }

  /** Why an item of a grouped edit can't be applied now; null where it can. */
  objection(change: Change): string | null {
    const { operation, expectedAssetUpdatedAt } = change;
    const there = this.#places.get(nameOf(change));
    const id = operation === 'replace' ? change.expectedPreviousAssetId : change.existingAssetId;
    if (operation === 'add') return there === undefined ? null : 'slot.taken';
    if (id === null || this.asset(id)?.updatedAt !== expectedAssetUpdatedAt) return 'asset.stale';
    if (operation === 'assign') return there === undefined ? null : 'slot.taken';
    return there === id ? null : 'asset.elsewhere';
  }

  /** Applies an item that there is no objection to. @returns the Asset's id */
  apply(change: Change): string {
    const { operation, existingAssetId } = change;
    const isExisting = operation === 'asset_metadata' || operation === 'assign';
    const id = isExisting ? (existingAssetId ?? '') : this.newAsset();
    if (isExisting) this.changeAsset(id);
    this.#places.set(nameOf(change), id);
    return id;
  }
}

function nameOf({ targetKind: kind, targetId, slot }: Place): string {
  return `${kind} ${targetId} ${slot}`;
}
