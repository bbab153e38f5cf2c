import { quoted } from '../../text.ts';
import { unhurried } from '../../deadline.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { nameIn, nameOfArtwork, type Names } from '../names.ts';
import type { Prepared } from '../mutation.ts';
import type { Declared } from '../submission.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import {
  correctedCall,
  detailsOfObjections,
  nextLookAtOccupant,
  type Objection,
} from '../before/objection.ts';
import type { Run } from './run.ts';
import type { Finding } from '../finding.ts';

/** How many files the message itself names. */
const mostInMessage = 5;

/**
 * The service names items by their place in the admission, which the caller may never have seen: the
 * files are named beside it.
 */
export function nameFiles(error: ArtworkError, { items }: Declared, names: Names = {}): ArtworkError {
  const named: string[] = [];
  const issues = error.issues?.map((issue) => {
    const [list, place] = issue.path;
    const isItem = (list === 'declaredFiles' || list === 'items') && /^\d{1,6}$/.test(place ?? '');
    const item = isItem ? items[Number(place)] : undefined;
    const filename = item?.file?.filename;
    if (item === undefined || filename === undefined) return issue;
    if (!named.includes(filename)) named.push(filename);
    const target = nameIn(names, item.targetKind, item.targetId);
    const what =
      target === undefined ? filename : `${filename} (${quoted(nameOfArtwork(item.slot, target))})`;
    return { ...issue, message: `${what}: ${issue.message}` };
  });
  if (named.length === 0) return error;
  const { category, code, status, details, next } = error;
  const more = named.length > mostInMessage ? ` and ${named.length - mostInMessage} more` : '';
  const message = `${error.message} (${named.slice(0, mostInMessage).join(', ')}${more})`;
  return new ArtworkError(category, message, { code, status, details, issues, next, cause: error });
}

type Ended = Extract<Finding, { found: 'ended' }>;

interface NamedStanding {
  readonly ended: Ended;
  /** The edit that takes the failed items anew; null where nothing stands in their places. */
  readonly next: Next | null;
}

/**
 * An edit that did not come about whole, with what stands now where its failed items were to be (States, rule 7: they
 * are corrected by a new mutation). A Set that can't be read now takes nothing from the outcome.
 */
export async function nameOccupants(run: Run, declared: Declared, ended: Ended): Promise<NamedStanding> {
  const nothing = { ended, next: null };
  const { account, prepared, signals } = run;
  const { mutation } = prepared;
  const [set] = mutation.guards;
  if (declared.kind !== 'edit' || set === undefined || ended.error === undefined) return nothing;
  const failed = failedItems(declared, ended);
  if (failed.length === 0) return nothing;
  try {
    const deadline = unhurried(signals.closing);
    const { owned, catalogue } = account.ports;
    const record = await set.read(owned, deadline);
    if (record === null) return nothing;
    const records = new Map([[set.name, record]]);
    const all = await mutation.check({ records, owned, catalogue, deadline });
    const there = all.filter(({ at, occupant }) => occupant !== undefined && failed.includes(indexOf(at)));
    if (there.length === 0) return nothing;
    return { ended: withDetails(ended, there), next: nextOf(prepared, failed, there, revisionOf(record)) };
  } catch (error) {
    if (error instanceof ArtworkError) return nothing;
    throw error;
  }
}

function failedItems(declared: Declared, { kept }: Ended): readonly number[] {
  const failed = (kept.items ?? []).filter(({ status, error }) => status === 'failed' || error !== null);
  const ids = failed.map(({ itemId }) => itemId.toLowerCase());
  return declared.items.flatMap(({ itemId }, index) => (ids.includes(itemId) ? [index] : []));
}

function indexOf(at: readonly string[] | undefined): number {
  return Number(at?.[1] ?? -1);
}

function withDetails(ended: Ended, there: readonly Objection[]): Ended {
  const { error } = ended;
  if (error === undefined) return ended;
  const { category, message, code, status, issues, details, next } = error;
  const told = { ...details, ...detailsOfObjections(there) };
  return {
    ...ended,
    error: new ArtworkError(category, message, { code, status, issues, details: told, next }),
  };
}

/** The failed items alone, each in the place of what stands there now. */
function nextOf(
  { mutation, given }: Prepared,
  failed: readonly number[],
  there: readonly Objection[],
  expectedUpdatedAt: string,
): Next | null {
  const items: readonly unknown[] = Array.isArray(given?.items) ? given.items : [];
  const moved = there.map((one) => ({ ...one, at: ['items', String(failed.indexOf(indexOf(one.at)))] }));
  const anew = failed.map((index) =>
    Object.assign({}, items[index], { itemId: undefined, position: undefined }),
  );
  const wrong = {
    tool: mutation.operation,
    arguments:
      given === undefined || moved.length < failed.length
        ? null
        : { ...given, expectedUpdatedAt, items: anew },
    clientMutationId: mutation.clientMutationId,
    idIsTaken: true,
  };
  return correctedCall(wrong, moved) ?? nextLookAtOccupant(there);
}
