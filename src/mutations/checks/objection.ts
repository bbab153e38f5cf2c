import { z } from 'zod';
import { ArtworkError, type ErrorCategory, inShort } from '../../errors.ts';
import type { Warning } from '../evidence.ts';

/** The Asset that stands in a place now. */
export interface Occupant {
  readonly assetId: string;
  /** Its revision; null where it can't be read. */
  readonly updatedAt: string | null;
}

/** Something that stands against a mutation, as the service shows it now. */
export interface Objection {
  readonly category: ErrorCategory;
  /** Left out: the category. */
  readonly code?: string;
  /** Goes on after the name of the argument. */
  readonly message: string;
  /** The argument that it is about. */
  readonly path: readonly string[];
  readonly occupant?: Occupant;
  /** Where the arguments that would be right belong: in the call itself, or in one of its items. */
  readonly at?: readonly string[];
  /** The arguments that would be right there, where that is certain; one that is undefined is left out then. */
  readonly put?: Readonly<Record<string, unknown>>;
  /** The interface document does not say that it is refused: it is pointed out, and the service judges. */
  readonly doubtful?: true;
}

/** An Asset that was replaced can't be changed any more. */
export const replacedCode = 'asset.replaced';
/** What stands in a place is replaced, not added to. */
export const occupiedCode = 'slot.occupied';

const mostTold = 5;
const mostNamed = 20;

/** One error for all that stands against a mutation: its category and code are those of the first. */
export function refusalOfObjections(objections: readonly Objection[]): ArtworkError {
  const [first] = objections;
  if (first === undefined) throw new TypeError('Nothing stands against it.');
  const told = objections.slice(0, mostTold).map(({ path, message }) => `${path.join('.')} ${message}`);
  const more = objections.length - told.length;
  return new ArtworkError(first.category, `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`, {
    code: first.code,
    issues: objections
      .slice(0, mostNamed)
      .map(({ category, code = category, path, message }) => ({ code, message: inShort(message), path })),
    details: detailsOfObjections(objections),
  });
}

/** What is only pointed out. */
export function warningsOfObjections(objections: readonly Objection[]): readonly Warning[] {
  return objections
    .filter(({ doubtful }) => doubtful === true)
    .slice(0, mostNamed)
    .map(({ path, message }) => ({
      code: 'may_be_refused',
      message: `${path.join('.')} ${message}. The service's document does not say whether it takes that, so the call sends it: where the service refuses it, nothing changes, and the corrected call needs a new id.`,
    }));
}

/** What stands there now, by the item that it stands against, and what to give to change that one. */
export function detailsOfObjections(
  objections: readonly Objection[],
): Readonly<Record<string, unknown>> | undefined {
  const occupants = objections.flatMap(({ occupant, at = [], put: give }) =>
    occupant === undefined ? [] : [{ ...(at.length === 0 ? {} : { at: at.join('.') }), ...occupant, give }],
  );
  if (occupants.length === 0) return undefined;
  const told = occupants.slice(0, mostNamed);
  return told.length === objections.length ? { standing: told } : { standing: told, of: objections.length };
}

/** Its member is called `standing` in every ledger that was written. */
const toldOccupants = z.object({
  standing: z
    .array(
      z.object({
        at: z.string().optional(),
        assetId: z.string(),
        updatedAt: z.string().nullable(),
        give: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1),
  of: z.int().optional(),
});

/** What stood against it, as `detailsOfObjections` told it; empty where it told nothing of it, or not all. */
export function readObjections(details: unknown): readonly Objection[] {
  const parsed = toldOccupants.safeParse(details);
  if (!parsed.success || parsed.data.of !== undefined) return [];
  return parsed.data.standing.map(
    ({ at, give, ...occupant }): Objection => ({
      category: 'conflict',
      message: '',
      path: [],
      at: at === undefined ? [] : at.split('.'),
      occupant,
      ...(give === undefined ? {} : { put: give }),
    }),
  );
}
