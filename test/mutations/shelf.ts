import { relationship } from '../../src/catalogue/records/owned.ts';
import type { SendOutcome, SendRequest } from '../../src/catalogue/send.ts';
import type { OwnedReads } from '../../src/mutations/ports.ts';

type Facts = Readonly<Record<string, unknown>>;

/**
 * What the service has of the small operations, whose bodies are assumed: preview frames, grouping Sets, assigned artwork,
 * relationships. It does all that it is asked for.
 */
export class Shelf {
  /** By the path that they are posted to. */
  #now = new Map<string, Facts>();
  #shown: ReadonlyMap<string, Facts> | null = null;
  #revision = 0;

  has(path: string): boolean {
    return /\/preview$|^\/me\/grouping-sets|^\/me\/relationships$/.test(path);
  }

  facts(key: string): Facts | undefined {
    return this.#now.get(key);
  }

  /** Something that is there before. @param key `asset ID`, `set ID` or `relationship KIND ID` */
  put(key: string, facts: Facts): string {
    this.#revision += 1;
    const updatedAt = `x${this.#revision}`;
    this.#now.set(key, { ...this.#now.get(key), ...facts, updatedAt });
    return updatedAt;
  }

  freeze(): void {
    this.#shown = new Map(this.#now);
  }

  catchUp(): void {
    this.#shown = null;
  }

  post({ path, body }: SendRequest): SendOutcome {
    const sent: Record<string, unknown> = JSON.parse(String(body));
    const [, , family, id] = path.split('/');
    const { targetKind, targetId, items } = sent;
    const made = id === undefined && family === 'grouping-sets';
    const key =
      family === 'relationships'
        ? `relationship ${targetKind} ${targetId}`
        : `${family === 'assets' ? 'asset' : 'set'} ${id ?? 500 + this.#now.size}`;
    const assigned = Array.isArray(items)
      ? { assets: items.map((item) => ({ id: item.existingAssetId })) }
      : {};
    const { clientMutationId: _, expectedUpdatedAt: __, items: ___, ...facts } = sent;
    this.put(key, {
      id: key.split(' ').at(-1),
      ...facts,
      ...assigned,
      ...(made ? { title: sent.titleBase } : {}),
    });
    return { outcome: 'applied', status: 200, body: { data: this.#now.get(key) } };
  }

  /** The reads of a process, with what is here. */
  reads(owned: OwnedReads): OwnedReads {
    const of = (key: string) => (this.#shown ?? this.#now).get(key);
    return {
      ...owned,
      readAsset: async (id, deadline) => {
        const asset = await owned.readAsset(id, deadline).catch(() => ({ id: String(id) }));
        return { ...asset, ...of(`asset ${id}`) };
      },
      readSet: async (id, deadline) => of(`set ${id}`) ?? owned.readSet(id, deadline),
      // One on a page.
      readRelationships: async (page) => {
        const all = [...(this.#shown ?? this.#now)].filter(([key]) => key.startsWith('relationship'));
        const at = Number(page ?? 0);
        const items = all.slice(at, at + 1).map(([, facts]) => relationship.schema.parse(facts));
        return { items, nextPage: at + 1 < all.length ? String(at + 1) : null };
      },
    };
  }
}
