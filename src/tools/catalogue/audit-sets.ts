import { z } from 'zod';
import { createAuditor, type SetAudit } from '../../curation/audit/audit-set.ts';
import {
  findOwnSets,
  type NamedSet,
  setsIn,
  setsOfTarget,
  type WhichSets,
} from '../../curation/audit/which-sets.ts';
import { ArtworkError, invalidArguments, type Next } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { catalogueId, readResult } from '../../mcp/arguments.ts';
import type { AccountParts, Context } from '../../mcp/context.ts';
import { entityKind, namedKind, setKind } from '../../mcp/kinds.ts';
import { isOffered } from '../../mcp/surface.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { slotsWords } from '../../model/slots.ts';
import { countOf } from '../../model/words.ts';
import { readOrExplain } from './not-there.ts';

const kinds = [...setKind.options, 'media_set', 'talent_set', 'category_set'] as const;

const input = z.strictObject({
  kind: z.enum(kinds).meta({ inWords: true }).optional().meta({
    description: 'of one Set; of a boxset or loadout all its Sets',
    brief: 'of a Set, e.g. show_set, boxset',
  }),
  id: catalogueId.optional(),
  targetKind: namedKind.optional().describe('e.g. show: all its Sets'),
  targetId: catalogueId.optional(),
  mine: z.literal(true).optional().describe('true: all your own'),
});

type Arguments = z.output<typeof input>;

const output = readResult.extend({
  counts: z.record(z.string(), z.int()),
  withoutFindings: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  next: z.unknown().optional(),
});

/** After so long no further Set is begun, ms. */
const patienceMs = 30_000;
/** Sets at a time; each reads a few things at a time itself. */
const setsAtOnce = 3;
/** Characters of JSON for the lines of several Sets. */
const budget = 14_000;

export const auditSets = defineTool({
  name: 'audit_sets',
  title: 'Check Sets for gaps, duplicates and other errors',
  toolset: 'catalogue',
  description: `Check what is missing or wrong in a Set, in all Sets of a show or other work, or in all your own: gaps in ${slotsWords('poster')} and ${slotsWords('titlecard')}, duplicates, errors of ratio or language. \`next\` says how plan_set fills gaps of your own.`,
  searchHint:
    'check missing lack lacking gap gaps hole holes incomplete complete wrong problem problems error errors mistakes quality duplicate duplicates doubles same twice ratio ratios aspect size language languages mixed outdated old stale posters title cards titlecards set my all review inspect validate fix',
  annotations: readOnly,
  input,
  output,
  async run(args, context) {
    const endsAt = performance.now() + patienceMs;
    const account = await context.account();
    const { sets, warnings } = await setsAskedFor(args, account, context);
    const isKnown = await isConnected(account);
    const auditor = createAuditor({
      catalogue: context.catalogue,
      // What is the account's own, and what the ledger knows of it, needs an account.
      owned: isKnown ? account.owned : null,
      bytes: isKnown ? await account.mutations.knownBytes() : new Map<string, string>(),
      deadline: context.deadline,
      now: Date.now,
    });
    const [only] = sets;
    if (sets.length === 1 && only !== undefined)
      return one(await explained(only, context, auditor), warnings, context);
    let done = 0;
    const audits = await mapLimit(sets, setsAtOnce, async (named): Promise<Line | null> => {
      if (performance.now() > endsAt) return null;
      const line = await lineOf(named, () => auditor.audit(named));
      done += 1;
      await context.progress(done, sets.length, 'Sets audited');
      return line;
    });
    return several(sets, audits, warnings);
  },
});

async function setsAskedFor(args: Arguments, account: AccountParts, context: Context): Promise<WhichSets> {
  const { catalogue, deadline } = context;
  const { kind, id, targetKind, targetId, mine } = args;
  const given = Object.entries({ kind, id, targetKind, targetId, mine }).filter(
    ([, value]) => value !== undefined,
  );
  const ways = given.map(([name]) => name).join();
  if (ways === 'mine') {
    const index = context.titles.mode === 'off' ? null : await context.titles.index();
    const own = await findOwnSets({ ...account, deadline, index });
    return { sets: own.sets.map((setId) => ({ kinds: [], id: setId })), warnings: own.warnings };
  }
  if (ways === 'kind,id' && kind !== undefined && id !== undefined) {
    if (!isGroupKind(kind)) return { sets: [{ kinds: [kind], id }], warnings: [] };
    return readOrExplain(kind, id, context, () => setsIn(catalogue, { kind, id }, deadline));
  }
  if (ways === 'targetKind,targetId' && targetKind !== undefined && targetId !== undefined) {
    return readOrExplain(entityKind.parse(targetKind), targetId, context, () =>
      setsOfTarget(catalogue, { kind: targetKind, id: targetId }, deadline),
    );
  }
  throw invalidArguments('audit_sets takes one of kind with id, targetKind with targetId, or mine: true', [
    { code: 'which', message: 'one of the three is needed, and only one', path: [] },
  ]);
}

async function isConnected({ connections }: AccountParts): Promise<boolean> {
  try {
    await connections.account();
    return true;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category === 'not_connected' || error.category === 'reconnect_required') return false;
    throw error;
  }
}

/** Of one Set all that is known, and the error of one that can't be read with what to do next. */
async function explained(
  named: NamedSet,
  context: Context,
  auditor: ReturnType<typeof createAuditor>,
): Promise<SetAudit> {
  const known = setKind.safeParse(named.kinds[0]);
  return known.success
    ? readOrExplain(known.data, named.id, context, () => auditor.audit(named))
    : auditor.audit(named);
}

function one(audit: SetAudit, warnings: readonly string[], { settings }: Context) {
  const { set, work, slots, without, findings, unchecked, next } = audit;
  const told = findings.map(({ code, words }) => ({ code, words }));
  // A call that the settings have switched off is not named.
  const mend: Next | null = isOffered('curate', readOnly, settings) ? next : null;
  const data = {
    ...set,
    ...(work === null ? {} : { of: work }),
    pictures: slots,
    without,
    findings: told,
    ...(unchecked.length > 0 ? { notChecked: [...unchecked] } : {}),
  };
  return {
    structured: {
      data: [data],
      counts: { sets: 1, audited: 1, withFindings: findings.length > 0 ? 1 : 0, failed: 0 },
      omitted: [],
      nextCursor: null,
      ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
      ...(mend === null ? {} : { next: mend }),
    },
  };
}

/** What one of several Sets takes: a line with what is wrong, its error, or its name alone. */
type Line =
  | { readonly is: 'found'; readonly shown: object }
  | { readonly is: 'in order'; readonly name: string }
  | { readonly is: 'failed'; readonly shown: object };

async function lineOf(named: NamedSet, audit: () => Promise<SetAudit>): Promise<Line> {
  try {
    const { set, findings } = await audit();
    const { kind, id, title, by, own } = set;
    if (findings.length === 0) return { is: 'in order', name: `${kind} ${id}` };
    const says = findings.map(({ words }) => words).join(' ');
    const codes = [...new Set(findings.map(({ code }) => code))];
    return { is: 'found', shown: { kind, id, title, ...(own ? {} : { by }), codes, says } };
  } catch (error) {
    // What is wrong with the service or the account is wrong with all of them.
    if (!(error instanceof ArtworkError) || endsAll.has(error.category)) throw error;
    const { code, message } = error;
    return { is: 'failed', shown: { kind: named.kinds[0] ?? 'set', id: named.id, error: { code, message } } };
  }
}

const endsAll: ReadonlySet<string> = new Set([
  ...['cancelled', 'network', 'rate_limited', 'not_connected', 'reconnect_required', 'internal'],
]);

/** All in one answer, a line each: those with findings first, those in order by their names. */
function several(sets: readonly NamedSet[], lines: readonly (Line | null)[], warnings: readonly string[]) {
  const found = lines.flatMap((line) => (line?.is === 'found' ? [line.shown] : []));
  const failed = lines.flatMap((line) => (line?.is === 'failed' ? [line.shown] : []));
  const inOrder = lines.flatMap((line) => (line?.is === 'in order' ? [line.name] : []));
  const late = sets.filter((_, at) => lines[at] === null);
  const data: object[] = [];
  let room = budget;
  for (const line of [...failed, ...found]) {
    room -= JSON.stringify(line).length;
    if (room > 0) data.push(line);
  }
  const cut = found.length + failed.length - data.length;
  const untold = [
    ...(cut > 0 ? [`${countOf(cut, 'Set')} with findings did not fit into this answer.`] : []),
    ...(late.length > 0
      ? [
          `${countOf(late.length, 'Set')} could not be audited in time: ${late
            .map(({ id }) => id)
            .slice(0, 100)
            .join(', ')}.`,
        ]
      : []),
  ];
  const told = untold.length > 0 ? [...untold, 'audit_sets with kind and id takes one of them.'] : [];
  return {
    structured: {
      data,
      ...(inOrder.length > 0
        ? { withoutFindings: `${countOf(inOrder.length, 'Set')}: ${inOrder.join(', ')}.` }
        : {}),
      counts: {
        sets: sets.length,
        audited: sets.length - late.length,
        withFindings: found.length,
        failed: failed.length,
      },
      omitted: [],
      nextCursor: null,
      warnings: [...warnings, ...told],
    },
  };
}
