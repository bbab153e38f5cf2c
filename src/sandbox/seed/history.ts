import { addAsset, editAsset, type NewAsset, replaceAsset, storeAssets } from '../artwork/assets.ts';
import { createSet, editSet, type NewSet, storeSet } from '../artwork/sets.ts';
import type { Database } from '../store/database.ts';
import { assetIndexes } from '../store/tables-artwork.ts';
import { editionIdOf } from './creators.ts';
import { drawnAsset, isWordless } from './pictures.ts';
import type { SetPlan, SlotPlan, StandalonePlan } from './plan.ts';
import { stableNumber, stableTime, stableUuid } from './stable.ts';

/** A change of the last weeks. */
interface Change {
  readonly at: string;
  readonly make: (at: string) => void;
}

const recordedDays = 45;

/**
 * Stores the state before the record of changes begins, and collects the changes since then. They are made by
 * the same functions that change the running catalogue.
 */
export class History {
  readonly #database: Database;
  readonly #now: Date;
  readonly #changes: Change[] = [];
  /** What is there before the record of changes begins. */
  readonly #early: NewAsset[] = [];

  constructor(database: Database, now: Date) {
    this.#database = database;
    this.#now = now;
  }

  /** Stores the Assets that are there before; then makes the collected changes in the order of their times. */
  makeChanges(): void {
    storeAssets(this.#database, this.#early);
    this.#early.length = 0;
    this.#database.execute(assetIndexes);
    this.#changes.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
    for (const { at, make } of this.#changes) make(at);
    this.#changes.length = 0;
  }

  standalone(plan: StandalonePlan): void {
    const { name, creator, languageCode } = plan;
    const asset = (version: number, at: string) =>
      this.#asset(
        name,
        version,
        plan,
        { setId: null, ownerId: creator.id, languageCode, editionId: null },
        at,
      );
    if (stableNumber(`recent ${name}`, 40) === 0) {
      this.#later(`added ${name}`, (at) => addAsset(this.#database, asset(1, at)));
      return;
    }
    this.#early.push(asset(1, stableTime(this.#now, 60, 1_200, name)));
    if (stableNumber(`replaced ${name}`, 50) === 0) {
      this.#later(`replaced ${name}`, (at) => replaceAsset(this.#database, asset(1, at).id, asset(2, at)));
    }
  }

  /** Some Sets are new. Others had artwork added, replaced (some repeatedly) or edited. */
  set(id: number, plan: SetPlan): void {
    const { name, placements } = plan;
    if (stableNumber(`recent ${name}`, 10) === 0) {
      this.#later(`created ${name}`, (at) => {
        createSet(this.#database, this.#set(id, plan, at));
        for (const placement of placements) addAsset(this.#database, this.#inSet(id, plan, placement, 1, at));
      });
      return;
    }
    const createdAt = stableTime(this.#now, 60, 1_200, name);
    storeSet(this.#database, this.#set(id, plan, createdAt));
    const late =
      stableNumber(`grown ${name}`, 9) === 0 && placements.length > 2 ? 2 + (placements.length % 7) : 0;
    const early = placements.slice(0, Math.max(1, placements.length - late));
    for (const placement of early) this.#early.push(this.#inSet(id, plan, placement, 1, createdAt));
    if (late > 0) this.#growth(id, plan, placements.slice(early.length));
    if (stableNumber(`replaced ${name}`, 6) === 0) this.#replacements(id, plan, early);
    if (stableNumber(`edited ${name}`, 4) === 0) this.#edit(id, plan, early);
  }

  #growth(id: number, plan: SetPlan, placements: readonly SlotPlan[]): void {
    this.#later(`grown ${plan.name}`, (at) => {
      for (const placement of placements) addAsset(this.#database, this.#inSet(id, plan, placement, 1, at));
      editSet(this.#database, id, {}, at);
    });
  }

  /** Replaces the same artwork one to four times, which makes replacement chains. */
  #replacements(id: number, plan: SetPlan, placements: readonly SlotPlan[]): void {
    const rounds = 1 + stableNumber(`rounds ${plan.name}`, 4);
    const first = stableNumber(`first replaced ${plan.name}`, Math.max(1, placements.length - 3));
    const touched = placements.slice(first, first + 1 + stableNumber(`touched ${plan.name}`, 6));
    let version = 1;
    for (let round = 1; round <= rounds; round++) {
      this.#later(`replaced ${plan.name} ${round}`, (at) => {
        for (const placement of touched) {
          const previous = this.#inSet(id, plan, placement, version, at);
          replaceAsset(this.#database, previous.id, this.#inSet(id, plan, placement, version + 1, at));
        }
        version++;
        editSet(this.#database, id, {}, at);
      });
    }
  }

  /** A picture without lettering has the language of its Set until this edit clears it. */
  #edit(id: number, plan: SetPlan, placements: readonly SlotPlan[]): void {
    const wordless = placements.find(({ slot }) => isWordless(slot));
    if (!wordless) return;
    this.#later(`edited ${plan.name}`, (at) => {
      const current = this.#database.only(
        `SELECT id FROM assets WHERE set_id = ? AND target_kind = ? AND target_id = ? AND slot = ?
         AND replaced_from IS NULL`,
        id,
        wordless.kind,
        wordless.id,
        wordless.slot,
      );
      editAsset(this.#database, current.text('id'), { languageCode: null }, at);
      editSet(this.#database, id, {}, at);
    });
  }

  #later(name: string, make: (at: string) => void): void {
    this.#changes.push({ at: stableTime(this.#now, 0, recordedDays, name), make });
  }

  #set(id: number, plan: SetPlan, at: string): NewSet {
    const { kind, target, members, title, description, creator, languageCode, edition, finalised } = plan;
    return {
      id,
      kind,
      target,
      members,
      title,
      description,
      ownerId: creator?.id ?? null,
      languageCode,
      editionId: edition === null ? null : editionIdOf(edition),
      finalised,
      createdAt: at,
      publicFrom: at,
    };
  }

  #inSet(setId: number, plan: SetPlan, placement: SlotPlan, version: number, at: string): NewAsset {
    const { kind, id, slot } = placement;
    return this.#asset(
      `${plan.name} ${kind} ${id} ${slot}`,
      version,
      placement,
      {
        setId,
        ownerId: plan.creator?.id ?? null,
        languageCode: plan.languageCode,
        editionId: plan.edition === null ? null : editionIdOf(plan.edition),
      },
      at,
    );
  }

  #asset(
    name: string,
    version: number,
    { kind, id, slot }: SlotPlan,
    owned: Pick<NewAsset, 'setId' | 'ownerId' | 'languageCode' | 'editionId'>,
    at: string,
  ): NewAsset {
    return {
      id: stableUuid(`${name} ${version}`),
      slot,
      targetKind: kind,
      targetId: id,
      ...owned,
      ...drawnAsset(slot, name),
      createdAt: at,
      publicFrom: at,
    };
  }
}
