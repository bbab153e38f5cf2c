/** Where a picture goes. */
export interface Place {
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

/** No kind that the interface document names: what is there, and what it has, the service alone judges. */
export const targetKind = 'reel';

export function placeOf(targetId: number): Place {
  return { targetKind, targetId, slot: 'poster' };
}

export const setId = 7;

const idOf = (number: number) => `0b0b0b0b-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The Assets that are there before anything is changed. */
export const assets = {
  replaced: { id: idOf(1), place: placeOf(1) },
  relabelled: { id: idOf(2), place: placeOf(2) },
  /** In no Set. */
  assigned: { id: idOf(3), place: null },
} as const;

/** What an item of an edit asks for. */
export interface Change extends Place {
  readonly operation: 'add' | 'replace' | 'assign' | 'asset_metadata';
  readonly expectedPreviousAssetId: string | null;
  readonly existingAssetId: string | null;
  readonly expectedAssetUpdatedAt: string | null;
}

/** The owner's Set, as everybody sees it, and its Assets. */
export class OwnedSet {
  #revision = 1;
  #title = 'Old';
  readonly #assets = new Map<string, number>();
  /** The Asset in each place. */
  readonly #places = new Map<string, string>();
  #made = 100;

  constructor() {
    for (const { id, place } of Object.values(assets)) {
      this.#assets.set(id, 1);
      if (place !== null) this.#places.set(nameOf(place), id);
    }
  }

  get updatedAt(): string {
    return `s${this.#revision}`;
  }

  record(): { readonly id: string; readonly updatedAt: string; readonly title: string } {
    return { id: String(setId), updatedAt: this.updatedAt, title: this.#title };
  }

  asset(id: string): Record<string, unknown> | null {
    const revision = this.#assets.get(id);
    return revision === undefined ? null : { id, updatedAt: `a${revision}`, languageCode: 'en' };
  }

  /** Somebody else changes the Set, or an Asset. */
  change(id: string | null): void {
    if (id === null) this.#revision += 1;
    else this.#assets.set(id, (this.#assets.get(id) ?? 0) + 1);
  }

  /** Whether anything is not at its first revision any more. */
  hasChanged(): boolean {
    return this.#revision > 1 || Object.values(assets).some(({ id }) => this.#assets.get(id) !== 1);
  }

  /** Why an item can't be applied now; null where it can. */
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
    if (operation === 'asset_metadata' || operation === 'assign') {
      const id = existingAssetId ?? '';
      this.change(id);
      this.#places.set(nameOf(change), id);
      return id;
    }
    const id = this.newAsset();
    this.#places.set(nameOf(change), id);
    return id;
  }

  newAsset(): string {
    this.#made += 1;
    const id = idOf(this.#made);
    this.#assets.set(id, 1);
    return id;
  }

  rename(title: string): void {
    this.#title = title;
  }
}

function nameOf({ targetKind, targetId, slot }: Place): string {
  return `${targetKind} ${targetId} ${slot}`;
}
