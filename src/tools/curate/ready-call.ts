import type { z } from 'zod';
import { isRecord, type JsonRecord, recordAt, textAt } from '../../catalogue/records/members.ts';
import { revisionOf } from '../../catalogue/records/owned.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { Context } from '../../mcp/context.ts';
import { numberedByText } from '../../model/address.ts';
import { kindNamed } from '../../model/kinds.ts';
import { slotNamed } from '../../model/slots.ts';
import { idOf, seasonOf, seasonsListedBy } from '../../model/work.ts';
import { longestCall } from '../../mutations/before/objection.ts';
import { findOperation } from '../../mutations/operations/find-operation.ts';
import { readShownSet, type ShownSet, shownAssetInPlace } from '../../mutations/before/shown-records.ts';

type Given = Readonly<Record<string, unknown>>;

interface CalledTool {
  readonly name: string;
  readonly input: z.ZodObject;
}

/**
 * The call that is meant, where the Set or the show that it names tells what its arguments lack: which episode `S02E07`
 * is, and which Asset stands in the place of an item that replaces or edits one. Null where nothing of that is missing,
 * it can't be read, or the call could not be made all the same.
 * @throws ArtworkError `cancelled`
 */
export async function readyCall(tool: CalledTool, given: Given, context: Context): Promise<Next | null> {
  // Nothing longer is told in an error.
  if (JSON.stringify(given).length > longestCall) return null;
  const lists = ['items', 'declaredFiles'].filter((name) => Array.isArray(given[name]));
  const parts = [given, ...lists.flatMap((name) => listOf(given[name]).filter(isRecord))];
  if (!parts.some((part) => codeIn(part) !== null || lacksAsset(part))) return null;
  try {
    const seen = await readNamed(given, context);
    const told: string[] = [];
    const put = async (part: JsonRecord): Promise<JsonRecord> =>
      withAsset(await withTarget(part, seen, context, told), seen, context, told);
    const call: Record<string, unknown> = await put(given);
    for (const name of lists) {
      const done: unknown[] = [];
      // One after the other: most are of one season, which is read once.
      for (const part of listOf(given[name])) done.push(isRecord(part) ? await put(part) : part);
      call[name] = done;
    }
    const isReady = told.length > 0 && JSON.stringify(call).length <= longestCall && canBeMade(tool, call);
    if (!isReady) return parts.some(lacksAsset) && seen.set !== null ? showPlaces(given) : null;
    const why = `${told.slice(0, mostTold).join(' ')} This is the same call with that: make it if it is what is meant.`;
    return { tool: tool.name, arguments: call, why };
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

const mostTold = 5;

/** Whether the call passes all that is checked before anything is read for it. */
function canBeMade({ name, input }: CalledTool, call: Given): boolean {
  const parsed = input.safeParse(call);
  if (!parsed.success) return false;
  const { dryRun: _, planId, leaveOut: __, ...args } = parsed.data;
  const run = findOperation(name)?.run;
  if (run === undefined || run.by === 'request' || planId !== undefined) return true;
  try {
    run.plan(args);
    return true;
  } catch (error) {
    if (error instanceof ArtworkError) return false;
    throw error;
  }
}

/** The next call if nothing tells which Asset is meant. */
function showPlaces({ setId }: Given): Next {
  const why =
    'It shows the Asset that stands in each place of the Set: its id and updatedAt are what an item that replaces or edits it names. Where nothing stands, an item adds.';
  return { tool: 'get_owned', arguments: { type: 'set', id: numberOf(setId) }, why };
}

/** The Set or show that the call names, as far as it could be read. */
interface Named {
  readonly set: ShownSet | null;
  /** Of the Set, or the one that a new Set is for. */
  readonly showId: number | null;
  /** Episodes by season number, once they were read. */
  readonly seasons: Map<number, ReturnType<typeof seasonOf>>;
}

async function readNamed({ setId, entryTargetKind, entryTargetId }: Given, context: Context): Promise<Named> {
  const seasons: Named['seasons'] = new Map();
  const id = numberOf(setId);
  if (id === null) {
    const isShow = typeof entryTargetKind === 'string' && kindNamed(entryTargetKind) === 'show';
    return { set: null, showId: isShow ? numberOf(entryTargetId) : null, seasons };
  }
  const { owned } = await context.account();
  const record: JsonRecord = await owned.readSet(id, context.deadline);
  const target = recordAt(record, 'target');
  return {
    set: readShownSet(record),
    showId: textAt(target, 'kind') === 'show' ? idOf(target.id) : null,
    seasons,
  };
}

function numberOf(given: unknown): number | null {
  const parsed = catalogueId.safeParse(given);
  return parsed.success ? parsed.data : null;
}

function codeIn({ targetId }: JsonRecord) {
  return typeof targetId === 'string' ? numberedByText(targetId) : null;
}

/** A part of the call with the id of the season or the episode that its code names in the show. */
async function withTarget(
  part: JsonRecord,
  { showId, seasons }: Named,
  { catalogue, deadline }: Context,
  told: string[],
): Promise<JsonRecord> {
  const code = codeIn(part);
  if (code === null || showId === null) return part;
  if (!seasons.has(code.season)) {
    const listed = seasonsListedBy(await catalogue.readEntity('show', showId, deadline));
    const found = listed.find(({ season }) => season === code.season);
    const season = found === undefined ? null : await catalogue.readEntity('season', found.id, deadline);
    seasons.set(code.season, season === null ? null : seasonOf(season));
  }
  const season = seasons.get(code.season) ?? null;
  const target =
    code.episode === null
      ? season
      : (season?.episodes.find(({ episode }) => episode === code.episode) ?? null);
  if (target === null) return part;
  const { kind, id } = target;
  told.push(`${String(part.targetId).toUpperCase()} is ${kind} ${id}.`);
  return { ...part, targetKind: kind, targetId: id };
}

const assetArguments = { replace: 'expectedPreviousAssetId', asset_metadata: 'existingAssetId' } as const;

function assetArgumentOf({ operation }: JsonRecord): string | null {
  return operation === 'replace' || operation === 'asset_metadata' ? assetArguments[operation] : null;
}

/** An item that acts on an Asset and does not say which, or at which revision. An upload has no such arguments. */
function lacksAsset(part: JsonRecord): boolean {
  const name = assetArgumentOf(part);
  const isItem = !('setId' in part);
  return isItem && name !== null && (part[name] === undefined || part.expectedAssetUpdatedAt === undefined);
}

/** An item with the Asset that stands in its place, and its revision. */
async function withAsset(
  part: JsonRecord,
  { set }: Named,
  context: Context,
  told: string[],
): Promise<JsonRecord> {
  const name = assetArgumentOf(part);
  const [kind, id, slot] = [part.targetKind, numberOf(part.targetId), part.slot];
  if (name === null || !lacksAsset(part) || set === null) return part;
  if (typeof kind !== 'string' || id === null || typeof slot !== 'string') return part;
  const there = shownAssetInPlace(set, { kind: kindNamed(kind) ?? kind, id }, slotNamed(slot) ?? slot);
  const given = part[name];
  const isOther = typeof given === 'string' && given.toLowerCase() !== there?.assetId.toLowerCase();
  if (there === undefined || isOther) return part;
  const { owned } = await context.account();
  const updatedAt = there.updatedAt ?? revisionOf(await owned.readAsset(there.assetId, context.deadline));
  told.push(`Asset ${there.assetId} stands there now (updatedAt ${updatedAt}): look at it first.`);
  return { ...part, [name]: there.assetId, expectedAssetUpdatedAt: updatedAt };
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}
