import { z } from 'zod';
import { cutText } from '../../catalogue/records/members.ts';
import { createAuditor, type SetAudit } from '../../curation/audit/audit-set.ts';
import {
  findOwnSets,
  type NamedSet,
  setsIn,
  setsOfTarget,
  type WhichSets,
} from '../../curation/audit/which-sets.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { AccountParts, Context } from '../../mcp/context.ts';
import { namedKind, setKind } from '../../mcp/kinds.ts';
import { isOffered } from '../../mcp/surface.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { slotsWords } from '../../model/slots.ts';
import { countOf } from '../../model/words.ts';
import { answerOf, fitting, readAnswer } from '../answer.ts';
import { readOrExplain } from '../own.ts';

const kinds = [...setKind.options, 'media_set', 'talent_set', 'category_set'] as const;

const input = z.strictObject({
  kind: z.enum(kinds).optional().meta({ inWords: true, description: 'of a Set, e.g. show_set, boxset' }),
  id: catalogueId.optional(),
  targetKind: namedKind.optional().describe('e.g. show: all its Sets'),
  targetId: catalogueId.optional(),
  mine: z.literal(true).optional().describe('true: all your own'),
});

/** After so long no further Set is begun, ms. */
const patienceMs = 30_000;
/** Sets at a time; each reads a few things at a time itself. */
const setsAtOnce = 3;

export const auditSets = defineTool({
  name: 'audit_sets',
  title: 'Check Sets for gaps and other errors',
  toolset: 'catalogue',
  description: `Check what is missing or wrong in a Set, in all Sets of a show or other work, or in all your own. It finds gaps in ${slotsWords('poster')} and ${slotsWords('titlecard')}, wrong ratio or language. \`next\` says how plan_set fills your gaps.`,
  searchHint:
    'lack lacking holes incomplete problems mistakes quality size aspect mixed outdated my all review inspect validate fix',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const endsAt = performance.now() + patienceMs;
    const account = await context.account();
    const { sets, warnings } = await setsAskedFor(args, account, context);
    const isConnected = await hasConnection(account);
    const auditor = createAuditor({
      catalogue: context.catalogue,
      owned: isConnected ? account.owned : null,
      deadline: context.deadline,
      now: Date.now,
    });
    const [only] = sets;
    if (only !== undefined && sets.length === 1) {
      const kind = setKind.safeParse(only.kinds[0]);
      const audit = () => auditor(only);
      const found = await (kind.success ? readOrExplain(kind.data, only.id, context, audit) : audit());
      return whole(found, warnings, context);
    }
    let done = 0;
    const lines = await mapLimit(sets, setsAtOnce, async (named): Promise<Line> => {
      if (performance.now() > endsAt) return { is: 'late', shown: named.id };
      const line = await lineOf(named, () => auditor(named));
      done += 1;
      await context.progress(done, sets.length, 'Sets audited');
      return line;
    });
    return inLines(lines, warnings);
  },
});

async function setsAskedFor(
  { kind, id, targetKind, targetId, mine }: z.output<typeof input>,
  account: AccountParts,
  context: Context,
): Promise<WhichSets> {
  const { catalogue, deadline, titles } = context;
  const isOne = kind !== undefined && id !== undefined;
  const isOfTarget = targetKind !== undefined && targetId !== undefined;
  const given = [kind, id, targetKind, targetId, mine].filter((one) => one !== undefined).length;
  if (mine && given === 1) {
    const index = titles.mode === 'off' ? null : await titles.index();
    const own = await findOwnSets({ ...account, deadline, index });
    return { sets: own.sets.map((setId) => ({ kinds: [], id: setId })), warnings: own.warnings };
  }
  if (isOne && given === 2) {
    if (!isGroupKind(kind)) return { sets: [{ kinds: [kind], id }], warnings: [] };
    return readOrExplain(kind, id, context, () => setsIn(catalogue, { kind, id }, deadline));
  }
  if (isOfTarget && given === 2) return setsOfTarget(catalogue, { kind: targetKind, id: targetId }, deadline);
  throw invalidArguments('audit_sets takes kind with id, or targetKind with targetId, or mine: true', [
    { code: 'which', message: 'one of the three, and only one', path: [] },
  ]);
}

/** Without a connection an audit is of what is public. */
async function hasConnection({ connections }: AccountParts): Promise<boolean> {
  return connections.account().then(
    () => true,
    (error: unknown) => {
      if (error instanceof ArtworkError && unconnected.has(error.failure)) return false;
      throw error;
    },
  );
}
const unconnected: ReadonlySet<string> = new Set(['not_connected', 'reconnect_required']);

/** Of one Set all that is known. */
function whole(
  { set, work, slots, without, findings, unchecked, next }: SetAudit,
  warnings: readonly string[],
  { settings }: Context,
) {
  const audit = {
    ...set,
    ...(work === null ? {} : { of: work }),
    pictures: slots,
    without,
    findings: findings.map(({ code, words }) => ({ code, words })),
    ...(unchecked.length > 0 ? { notChecked: unchecked } : {}),
  };
  return answerOf({
    data: [audit],
    counts: { sets: 1, audited: 1, withFindings: findings.length > 0 ? 1 : 0, failed: 0 },
    warnings,
    // A call that the settings have switched off is not named.
    next: next !== null && isOffered('curate', readOnly, settings) ? next : undefined,
  });
}

/** Of one of several Sets a line with what is wrong, its error, or its id alone. */
type Line =
  | { readonly is: 'found'; readonly shown: Readonly<Record<string, unknown>> & { readonly says: string } }
  | { readonly is: 'failed'; readonly shown: object }
  | { readonly is: 'right' | 'late'; readonly shown: number };

async function lineOf(named: NamedSet, audit: () => Promise<SetAudit>): Promise<Line> {
  try {
    const { set, findings } = await audit();
    const { kind, id, title, by, own } = set;
    if (findings.length === 0) return { is: 'right', shown: id };
    const says = findings.map(({ words }) => words).join(' ');
    const codes = [...new Set(findings.map(({ code }) => code))];
    return { is: 'found', shown: { kind, id, title, ...(own ? {} : { by }), codes, says } };
  } catch (error) {
    // What is wrong with the service, the account or the call is wrong with all of them.
    if (!(error instanceof ArtworkError) || error.concerns !== 'record') throw error;
    const { code, message } = error;
    return { is: 'failed', shown: { kind: named.kinds[0] ?? 'set', id: named.id, error: { code, message } } };
  }
}

/** Characters of JSON for the lines of several Sets. */
const room = 14_000;
/** Characters of a line beside its sentences. */
const usualNames = 150;

/** All in one answer, a line each: those with findings first, those that are right by their ids. */
function inLines(lines: readonly Line[], warnings: readonly string[]) {
  const failed = lines.flatMap(({ is, shown }) => (is === 'failed' ? [shown] : []));
  const found = lines.flatMap(({ is, shown }) => (is === 'found' ? [shown] : []));
  const right = lines.flatMap(({ is, shown }) => (is === 'right' ? [shown] : []));
  const late = lines.flatMap(({ is, shown }) => (is === 'late' ? [shown] : []));
  // Where they are too long together each keeps a part of its sentences.
  const share = Math.max(40, room / (failed.length + found.length) - usualNames);
  const isLong = JSON.stringify([failed, found]).length > room;
  const wrong = [
    ...failed,
    ...found.map((one) => (isLong ? { ...one, says: cutText(one.says, Math.floor(share)) } : one)),
  ];
  const data = fitting(wrong, room);
  const cut = wrong.length - data.length;
  const one = 'audit_sets with kind and id audits one of them.';
  const unread = `${countOf(late.length, 'Set')}: ${late.slice(0, 100).join(', ')}`;
  return answerOf({
    data,
    withoutFindings: right,
    counts: {
      sets: lines.length,
      audited: lines.length - late.length,
      withFindings: found.length,
      failed: failed.length,
    },
    warnings: [
      ...warnings,
      ...(isLong ? [`The lines of so many Sets are cut. ${one}`] : []),
      ...(cut === 0 ? [] : [`${countOf(cut, 'Set')} with findings did not fit into this answer. ${one}`]),
      ...(late.length === 0 ? [] : [`There was no time to audit ${unread}. ${one}`]),
    ],
  });
}
