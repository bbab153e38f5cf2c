import { z } from 'zod';
import { canonicalJson } from '../../canonical-json.ts';
import { isRecord } from '../../catalogue/records/members.ts';
import { ArtworkError, type ErrorCategory, inShort, type Next } from '../../errors.ts';
import { asJson, type Warning } from '../finding.ts';
import type { Mutation, Prepared } from '../mutation.ts';
import type { MutationPorts } from '../ports.ts';
import { deriveUuid } from '../submission.ts';
import type { CheckContext } from './shown-records.ts';

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
  /** Nothing is wrong with it: the message, a sentence of its own, is pointed out under the code. */
  readonly told?: true;
}

/** Occupants that one error names. */
const mostOccupants = 20;

/** What stands there now, by the item that it stands against, and what to give to change that one. */
export function detailsOfObjections(
  objections: readonly Objection[],
): Readonly<Record<string, unknown>> | undefined {
  const occupants = objections.flatMap(({ occupant, at = [], put: give }) =>
    occupant === undefined ? [] : [{ ...(at.length === 0 ? {} : { at: at.join('.') }), ...occupant, give }],
  );
  if (occupants.length === 0) return undefined;
  const told = occupants.slice(0, mostOccupants);
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

type CallArguments = Readonly<Record<string, unknown>>;

/** Characters of JSON: a call that is longer is not repeated in an error. */
export const longestCall = 4_000;

/** A call that can't be made as it stands, and where its arguments belong. */
interface ObjectedCall {
  readonly tool: string;
  /** Null: they are not all known. */
  readonly arguments: CallArguments | null;
  readonly clientMutationId: string;
  /** Whether the id stands for what it was, so that another call needs another one. */
  readonly idIsTaken: boolean;
}

/** What leads on from what stands there: the call that is meant, or where it can't be given the one that shows it. */
export function callInstead(
  { operation: tool, clientMutationId }: Pick<Mutation, 'operation' | 'clientMutationId'>,
  args: CallArguments | null,
  objections: readonly Objection[],
  idIsTaken = true,
): Next | null {
  const wrong = { tool, arguments: args, clientMutationId, idIsTaken };
  return correctedCall(wrong, objections) ?? nextLookAtOccupant(objections);
}

/** The call that is meant, with what is right in the place of what stands against it; null where that is not certain. */
export function correctedCall(wrong: ObjectedCall, objections: readonly Objection[]): Next | null {
  if (wrong.arguments === null || objections.length === 0) return null;
  let args: CallArguments = wrong.arguments;
  for (const { at = [], put } of objections) {
    if (put === undefined) return null;
    args = withArguments(args, at, put);
  }
  // The same correction is the same call, however often it is made.
  const { clientMutationId: _, ...rest } = { clientMutationId: null, ...args };
  const own = deriveUuid(wrong.clientMutationId, canonicalJson(asJson(rest)));
  const call = { ...rest, clientMutationId: wrong.idIsTaken ? own : wrong.clientMutationId };
  if (JSON.stringify(call).length > longestCall) return null;
  return { tool: wrong.tool, arguments: call, why: whyOf(objections) };
}

function whyOf(objections: readonly Objection[]): string {
  const there = objections.flatMap(({ occupant }) => (occupant === undefined ? [] : [occupant.assetId]));
  if (there.length === 0) return 'It is the same call with what is right put in its place.';
  const assets = [...new Set(there)].slice(0, 5).join(', ');
  return `Asset ${assets} stands there now: this is the call that changes that one. Look at it first, and make the call if it is what is wanted.`;
}

/** Where the call can't be given: what shows what stands there. */
export function nextLookAtOccupant(objections: readonly Objection[]): Next | null {
  const occupant = objections.find((one) => one.occupant !== undefined)?.occupant;
  if (occupant === undefined) return null;
  const { assetId, updatedAt } = occupant;
  return {
    tool: 'get_owned',
    arguments: { type: 'asset', id: assetId },
    why: `This Asset stands there now${updatedAt === null ? '' : ` (updatedAt ${updatedAt})`}: look at it, then replace it under a new id where that is wanted.`,
  };
}

function withArguments(args: CallArguments, at: readonly string[], put: CallArguments): CallArguments {
  const [first, ...rest] = at;
  if (first === undefined) {
    const merged = Object.entries({ ...args, ...put }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(merged);
  }
  const inner = args[first];
  if (Array.isArray(inner)) {
    const [index, ...deeper] = rest;
    const list: unknown[] = inner.map((one: unknown, place) =>
      String(place) === index && isRecord(one) ? withArguments(one, deeper, put) : one,
    );
    return { ...args, [first]: list };
  }
  return isRecord(inner) ? { ...args, [first]: withArguments(inner, rest, put) } : args;
}

/** What stands against a mutation, as far as the service shows it. */
export async function findObjections(
  { owned, catalogue }: Pick<MutationPorts, 'owned' | 'catalogue'>,
  { mutation }: Prepared,
  looking: Pick<CheckContext, 'records' | 'deadline'>,
): Promise<readonly Objection[]> {
  return mutation.check({ ...looking, owned, catalogue });
}

/** Why nothing was claimed, and the call that is meant. */
export function objectionsError(
  { mutation, given, progress }: Prepared,
  objections: readonly Objection[],
  { dryRun, idIsTaken }: { readonly dryRun: boolean; readonly idIsTaken: boolean },
): ArtworkError {
  const refusal = refusalOfObjections(objections);
  const known = given ?? mutation.again(progress);
  const args = known === null || !dryRun ? known : { ...known, dryRun };
  const next = callInstead(mutation, args, objections, idIsTaken) ?? undefined;
  return new ArtworkError(refusal.category, refusal.message, { ...refusal, next });
}

/** A conflict that the service told, with what stands there now and the call that changes that. */
export function explainedConflictError(
  { mutation, given, progress }: Prepared,
  conflict: ArtworkError,
  objections: readonly Objection[],
): ArtworkError {
  const there = objections.filter(({ category }) => category === 'conflict');
  const standing = detailsOfObjections(there);
  if (standing === undefined) return conflict;
  const next = callInstead(mutation, given ?? mutation.again(progress), there) ?? undefined;
  const details = { ...conflict.details, ...standing };
  return new ArtworkError(conflict.category, conflict.message, { ...conflict, next, details });
}

const mostTold = 5;
/** Objections that one error names. */
const mostNamed = 20;

/** One error for all that stands against a mutation: its category and code are those of the first. */
function refusalOfObjections(objections: readonly Objection[]): ArtworkError {
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
  return objections.flatMap(({ told, category, code = category, message }): Warning[] =>
    told === true ? [{ code, message }] : [],
  );
}
