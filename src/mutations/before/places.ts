import { type Deadline, noLaterThan } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { isKind, type Kind } from '../../model/kinds.ts';
import { keyOfTarget, type TargetReference } from '../../model/target.ts';
import { seasonsListedBy } from '../../model/work.ts';
import type { Warning } from '../change.ts';
import type { Intended } from '../operations/operation.ts';
import type { PublicReads } from '../ports.ts';

/** What public reads say of where the pictures of a change are to go: its targets, and their slots. */
type Asked = Pick<Intended, 'places' | 'work'>;

/** Of one call; what more targets are, the service says. */
const mostReads = 40;
const readAtOnce = 4;
/** A change does not wait any longer for public reads. ms */
const forReadsMs = 15_000;

/**
 * Whether the targets of a change are in the catalogue. Their records also tell what people call them.
 * @returns what could not be looked at: trouble with public reads stops no change
 * @throws ArtworkError `not_found` for a target that the catalogue says it does not have; `cancelled`
 */
export async function checkTargets(
  { places, work }: Asked,
  catalogue: PublicReads,
  deadline: Deadline,
): Promise<readonly Warning[]> {
  const soon = noLaterThan(deadline, forReadsMs);
  const isUnknown = ({ kind, id }: TargetReference) => isKind(kind) && catalogue.nameOf(kind, id) === null;
  let left = mostReads;
  let trouble: ArtworkError | null = null;
  const read = async <K extends Kind>(kind: K, id: number | string) => {
    if (left === 0 || trouble !== null) return null;
    left -= 1;
    try {
      return await catalogue.readEntity(kind, id, soon);
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
      if (error.failure === 'not_found') throw notThere(kind, id);
      trouble = error;
      return null;
    }
  };

  if (work?.kind === 'show') {
    const show = await read('show', work.id);
    // One season tells the episodes of it, where each would be a read of its own.
    for (const { id } of show === null ? [] : seasonsListedBy(show)) {
      if (!places.some(({ target }) => target.kind === 'episode' && isUnknown(target))) break;
      await read('season', id);
    }
  } else if (work !== null && isKind(work.kind)) await read(work.kind, work.id);
  const unknown = places.map(({ target }) => target).filter(isUnknown);
  const distinct = [...new Map(unknown.map((target) => [keyOfTarget(target), target])).values()];
  await mapLimit(distinct, readAtOnce, async ({ kind, id }) => {
    if (isKind(kind)) await read(kind, id);
  });
  return trouble === null ? [] : [notLooked(trouble)];
}

function notThere(kind: string, id: number | string): ArtworkError {
  const message = `The catalogue has no ${kind} ${id}, so nothing was sent. find_titles finds ids.`;
  return new ArtworkError('not_found', message);
}

function notLooked({ message }: ArtworkError): Warning {
  const words = `The targets could not be looked up, so the service decides whether they exist. ${message}`;
  return { code: 'targets_not_checked', message: words };
}
