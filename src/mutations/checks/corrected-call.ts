import type { Next } from '../../errors.ts';
import { canonicalJson } from '../../canonical-json.ts';
import { deriveUuid } from '../derive-id.ts';
import { asJson } from '../json.ts';
import type { Objection } from './objection.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Characters of JSON: a call that is longer is not repeated in an error. */
const longestCall = 4_000;

/** A call that can't be made as it stands, and where its arguments belong. */
export interface ObjectedCall {
  readonly tool: string;
  /** Null: they are not all known. */
  readonly arguments: Arguments | null;
  readonly clientMutationId: string;
  /** Whether the id stands for what it was, so that another call needs another one. */
  readonly idIsTaken: boolean;
}

/** The call that is meant, with what is right in the place of what stands against it; null where that is not certain. */
export function correctedCall(wrong: ObjectedCall, objections: readonly Objection[]): Next | null {
  if (wrong.arguments === null || objections.length === 0) return null;
  let args: Arguments = wrong.arguments;
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

function withArguments(args: Arguments, at: readonly string[], put: Arguments): Arguments {
  const [first, ...rest] = at;
  if (first === undefined) {
    const merged = Object.entries({ ...args, ...put }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(merged);
  }
  const inner = args[first];
  if (Array.isArray(inner)) {
    const [index, ...deeper] = rest;
    const list: unknown[] = inner.map((one: unknown, place) =>
      String(place) === index && isArguments(one) ? withArguments(one, deeper, put) : one,
    );
    return { ...args, [first]: list };
  }
  return isArguments(inner) ? { ...args, [first]: withArguments(inner, rest, put) } : args;
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
