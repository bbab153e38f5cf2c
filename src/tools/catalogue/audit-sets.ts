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
import { ArtworkError, invalidArguments, unlessRefused } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { catalogueId } from '../../mcp/arguments.ts';
import type { AccountParts, Context } from '../../mcp/context.ts';
import { namedKind, setKind } from '../../mcp/kinds.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { slotsWords } from '../../model/slots.ts';
import { countOf } from '../../model/words.ts';
import { answerOf, readAnswer } from '../answer.ts';
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
  description: `Check what is missing or wrong in a Set, in all Sets of a show or other work, or in all your own. It finds gaps in ${slotsWords('poster')} and ${slotsWords('titlecard')}, wrong ratio or language. Of one Set, \`next\` says how plan_set fills its gaps.`,
  searchHint:
    'lack lacking holes incomplete problems mistakes quality size aspect mixed outdated my all review inspect validate fix',
  annotations: readOnly,
  input,
  output: readAnswer,
  async run(args, context) {
    const endsAt = performance.now() + patienceMs;
    const account = await context.account();
    const { sets, warnings } = await setsAskedFor(args, account, context);
    // Without a connection an audit is of what is public.
    const isConnected = (await unlessRefused(() => account.connections.account())) !== null;
    const auditor = createAuditor({
      catalogue: context.catalogue,
      owned: isConnected ? account.owned : null,
      deadline: context.deadline,
      now: Date.now,
    });
    const [only] = sets;
    if (only !== undefined && sets.length === 1) return whole(await auditor(only), warnings);
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

/** Of one Set all that is known. */
function whole({ set, work, findings, ...audit }: SetAudit, warnings: readonly string[]) {
  return answerOf({
    data: [
      {
        ...set,
        of: work ?? undefined,
        pictures: audit.slots,
        without: audit.without,
        findings: findings.map(({ code, words }) => ({ code, words })),
        notChecked: audit.unchecked.length > 0 ? audit.unchecked : undefined,
      },
    ],
    counts: { sets: 1, audited: 1, withFindings: findings.length > 0 ? 1 : 0, failed: 0 },
    warnings,
    next: audit.next ?? undefined,
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

/** Characters of JSON for the sentences of several Sets, and the fewest for one of them. */
const room = 10_000;
const fewest = 60;

/** All in one answer, a line each: those with findings first, those that are right by their ids. */
function inLines(lines: readonly Line[], warnings: readonly string[]) {
  const failed = lines.flatMap(({ is, shown }) => (is === 'failed' ? [shown] : []));
  const found = lines.flatMap(({ is, shown }) => (is === 'found' ? [shown] : []));
  const right = lines.flatMap(({ is, shown }) => (is === 'right' ? [shown] : []));
  const late = lines.flatMap(({ is, shown }) => (is === 'late' ? [shown] : []));
  // Where they are too long together each keeps a part of its sentences.
  const share = Math.max(fewest, Math.floor(room / Math.max(1, found.length)));
  const cut = found.map((one) => ({ ...one, says: cutText(one.says, share) }));
  const [sets, audited] = [lines.length, lines.length - late.length];
  const lateWords = `There was no time to audit ${countOf(late.length, 'Set')}: ${late.slice(0, 100).join(', ')}.`;
  return answerOf({
    data: [...failed, ...cut],
    withoutFindings: right,
    counts: { sets, audited, withFindings: found.length, failed: failed.length },
    warnings: [
      ...warnings,
      ...(late.length === 0 ? [] : [`${lateWords} audit_sets with kind and id audits one of them.`]),
    ],
  });
}
