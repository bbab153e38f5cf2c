import type { TitleIndex } from '../titles/title-index.ts';
import type { Seen } from '../titles/title.ts';
import { type ListName, openLists } from './lists.ts';
import { openPace, unattended } from './pace.ts';
import type { FillerPorts } from './ports.ts';
import { createFillerRecords } from './records.ts';

export interface ListStatus {
  readonly pages: number;
  readonly totalPages: number | null;
  /** `reading`: a reading of it is under way, or was interrupted. `short`: it could not be read to its end. */
  readonly state: 'not begun' | 'reading' | 'read' | 'short';
  /** When the last reading ended, ISO 8601. */
  readonly readAt: string | null;
  /** Why it could not be read to its end. */
  readonly why: string | null;
}

/** How much the index has seen, and how far the reading of the catalogue is. */
export interface FillerStatus extends Seen {
  readonly lists: Readonly<Record<ListName, ListStatus>>;
  /** Records that are still to be read, of those that are known. */
  readonly left: number;
  /** When the service may be asked again, ISO 8601; null: now. */
  readonly restsUntil: string | null;
  /** The index is as large as it may become. */
  readonly full: boolean;
  /** When a damaged index was set aside in the last day, ISO 8601. */
  readonly rebuilt: string | null;
}

/** How far the catalogue was read for the index, list by list. */
export async function readFillerStatus(
  ports: FillerPorts & { readonly index: Pick<TitleIndex, 'seen' | 'isFull' | 'rebuilt'> },
): Promise<FillerStatus> {
  const { index, clock } = ports;
  const lists = await openLists(ports);
  const statusOf = (name: ListName): ListStatus => {
    const state = lists.state(name);
    if (state === null) return { pages: 0, totalPages: null, state: 'not begun', readAt: null, why: null };
    const { pages, totalPages, ended, whole, why } = state;
    const readAt = ended === null ? null : new Date(ended).toISOString();
    return { pages, totalPages, state: ended === null ? 'reading' : whole ? 'read' : 'short', readAt, why };
  };
  const pace = await openPace(index, clock, unattended);
  const rest = pace.restsUntil();
  return {
    ...(await index.seen()),
    lists: { assets: statusOf('assets'), sets: statusOf('sets'), episodes: statusOf('episodes') },
    left: await createFillerRecords(ports, () => 0).left(),
    restsUntil: rest === null ? null : new Date(rest).toISOString(),
    full: await index.isFull(),
    rebuilt: await index.rebuilt(),
  };
}
