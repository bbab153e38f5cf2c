import type { Deadline } from '../../../deadline.ts';
import { allKinds, isKind, mediaSetTargets } from '../../../model/kinds.ts';
import { isWorkKind } from '../../../model/work.ts';
import { sightingsOf } from '../sightings.ts';
import type { DueOnly, TitleKind, TitleReference } from '../title-index.ts';
import type { ReaderPorts } from './ports.ts';

/** How long a record is fresh, ms. */
const freshFor = 30 * 24 * 60 * 60_000;
/** What was read so shortly before is not read again, ms: the index does not write again what is as it was. */
const justRead = 10 * 60_000;
const atOnce = 200;

const works = allKinds.filter(isWorkKind);
const chiefWorks = works.filter((kind) => mediaSetTargets.includes(kind));
const otherWorks = works.filter((kind) => !mediaSetTargets.includes(kind));
const parts = allKinds.filter((kind) => !isWorkKind(kind));

/**
 * What a reading of everything goes to, in this order. First whatever only its id is known of; then what leads on to
 * more: a show to its year, seasons and Sets, a film to its collection, a collection to its films, a game to others, a
 * company to its parent. Episodes, seasons and people tell nothing beyond what named them; no Set is read.
 */
const everything: readonly (readonly [TitleKind, DueOnly])[] = [
  ...wantedAs('unnamed', [...chiefWorks, ...otherWorks, ...parts]),
  ...wantedAs('unread', [...chiefWorks, 'company']),
];

function wantedAs(only: DueOnly, kinds: readonly TitleKind[]): (readonly [TitleKind, DueOnly])[] {
  return kinds.map((kind) => [kind, only]);
}

/**
 * Reads the records of single titles: those that a feed has named since they were read, newest first, then the shows
 * that the index of episodes names; and where everything is wanted, all that the index of titles lacks.
 * @param fullSince what was read before this moment is read again, however fresh, ms
 */
export function createWorkReader(
  { index, catalogue, clock }: ReaderPorts,
  wants: { readonly everything: boolean; readonly fullSince: number },
) {
  let queue: TitleReference[] = [];
  const readBefore = () => Math.max(clock.now() - freshFor, wants.fullSince - justRead);
  const refill = async (): Promise<readonly TitleReference[]> => {
    const changed = await index.changed(atOnce);
    if (changed.length > 0) return changed;
    if (!wants.everything) return index.due('show', 0, atOnce);
    for (const [kind, only] of everything) {
      const due = await index.due(kind, readBefore(), atOnce, only);
      if (due.length > 0) return due;
    }
    return [];
  };

  return {
    /** The next that is to be read, of those that failed before the one that did so least; null where there is none. */
    async next(failures: (reference: TitleReference) => number): Promise<TitleReference | null> {
      if (queue.length === 0) {
        const due = await refill();
        queue = [...due].sort((one, other) => failures(one) - failures(other));
      }
      return queue.shift() ?? null;
    },
    /** Reads it and keeps what it shows. Rejects with what the catalogue or the store rejects with. */
    async read({ kind, id }: TitleReference, deadline: Deadline): Promise<void> {
      const seen = isKind(kind)
        ? sightingsOf({ of: 'entity', kind, record: await catalogue.readEntity(kind, id, deadline) })
        : [];
      // A record that says another id, or none, is no answer to what was asked for.
      const isItself = seen.some((one) => one.whole === true && one.kind === kind && one.id === id);
      await index.learn(isItself ? seen : [{ kind, id, whole: true }]);
    },
    /** Not asked for again before it would be old. @param isGone the catalogue does not have it: it is found no longer */
    async passOver({ kind, id }: TitleReference, isGone: boolean): Promise<void> {
      if (isGone) await index.forget({ kind, id });
      await index.learn([{ kind, id, whole: true }]);
    },
    /** How many of all that there are to be read are left. */
    left: () => index.countDue(everything, readBefore()),
  };
}
