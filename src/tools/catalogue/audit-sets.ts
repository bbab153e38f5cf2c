import { z } from 'zod';
import { type Audit, mendOf, type SetAudit } from '../../curation/audit/audit.ts';
import { type AuditPage, auditPage, createAuditor } from '../../curation/audit/audit-set.ts';
import { unpublishedWords } from '../../curation/audit/findings.ts';
import { findOwnSets } from '../../curation/audit/own-sets.ts';
import type { NamedSet } from '../../curation/audit/read-set.ts';
import { auditLists, setsIn, setsOfTarget, type WhichSets } from '../../curation/audit/which-sets.ts';
import { groupedBy } from '../../grouped-by.ts';
import { ArtworkError, invalidArguments, type Next } from '../../errors.ts';
import { catalogueId, paging, readResult } from '../../mcp/arguments.ts';
import type { AccountParts, Context } from '../../mcp/context.ts';
import { entityKind, namedKind, setKind } from '../../mcp/kinds.ts';
import { readCursor, writeCursor } from '../../mcp/pages.ts';
import { isOffered } from '../../mcp/surface.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';
import { isGroupKind } from '../../model/kinds.ts';
import { slotsWords } from '../../model/slots.ts';
import { countOf } from '../../model/words.ts';
import { readOrExplain } from './not-there.ts';

const kinds = [...setKind.options, 'media_set', 'talent_set', 'category_set'] as const;

const setWord = z.enum(kinds).meta({ inWords: true });

const input = z.strictObject({
  kind: setWord.optional().meta({
    description: 'of one Set; of a boxset or loadout all its Sets',
    brief: 'of a Set, e.g. show_set, boxset',
  }),
  id: catalogueId.optional(),
  targetKind: namedKind.optional().describe('e.g. show: all its Sets'),
  targetId: catalogueId.optional(),
  mine: z.literal(true).optional().describe('true: all your own'),
  ...paging,
});

type Arguments = z.output<typeof input>;

const output = readResult.extend({
  counts: z.record(z.string(), z.int()),
  withoutFindings: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  next: z.unknown().optional(),
});

/** What the pages before came to, so that each page counts all that has been audited. */
const foundBefore = { withFindings: z.int().min(0), failed: z.int().min(0) };

/** Milliseconds after which no further Set is begun. */
const patienceMs = 25_000;

export const auditSets = defineTool({
  name: 'audit_sets',
  title: 'Check Sets for gaps, duplicates and other errors',
  toolset: 'catalogue',
  description: `Check what is missing or wrong in a Set, in all Sets of a show or other work, or in all your own: gaps in ${slotsWords('poster')} and ${slotsWords('titlecard')}, duplicates, errors of ratio or language. \`next\` is the plan_set call that fills gaps of your own.`,
  searchHint:
    'check missing lack lacking gap gaps hole holes incomplete complete wrong problem problems error errors mistakes quality duplicate duplicates doubles same twice ratio ratios aspect size language languages mixed outdated old stale posters title cards titlecards set my all review inspect validate fix',
  annotations: readOnly,
  input,
  output,
  readsHostFolders: () => true,
  async run(args, context) {
    const endsAt = performance.now() + patienceMs;
    const account = await context.account();
    const start = readCursor(
      'audit_sets',
      args,
      z.object({ list: z.uuid().nullable(), offset: z.int().min(0), ...foundBefore }),
    );
    const list = await listOf(args, start?.list ?? null, account, context);
    const offset = start?.offset ?? 0;
    const { audits, end } = await auditFrom(list.sets, offset, args, account, context, endsAt);
    const withFindings =
      (start?.withFindings ?? 0) +
      audits.filter((audit) => 'findings' in audit && audit.findings.length > 0).length;
    const failed = (start?.failed ?? 0) + audits.filter((audit) => 'error' in audit).length;
    const nextCursor =
      end < list.sets.length
        ? writeCursor('audit_sets', args, { list: await list.keep(), offset: end, withFindings, failed })
        : null;
    const isOne = list.sets.length === 1;
    const [only] = audits;
    const next = isOne && only !== undefined && 'findings' in only ? only.next : null;
    const inOrder = isOne ? [] : audits.filter(isInOrder);
    const warnings = [...list.warnings, ...(isOne ? [] : unclearWords(audits))];
    return {
      structured: {
        data: audits
          .filter((audit) => isOne || !isInOrder(audit))
          .map((audit) => shown(audit, isOne, context)),
        ...(inOrder.length === 0 ? {} : { withoutFindings: inOrderWords(inOrder) }),
        counts: {
          setsInAll: list.sets.length,
          auditedSoFar: end,
          withFindingsSoFar: withFindings,
          failedSoFar: failed,
        },
        omitted:
          nextCursor === null
            ? []
            : [
                {
                  section: 'sets',
                  total: list.sets.length,
                  returned: audits.length,
                  next: { tool: 'audit_sets', arguments: { ...args, cursor: nextCursor } },
                },
              ],
        nextCursor,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(next === null ? {} : { next }),
      },
    };
  },
});

interface List extends WhichSets {
  /** @returns the id under which the next page finds it: a list that is made anew may be another */
  keep(): Promise<string>;
}

async function listOf(
  args: Arguments,
  id: string | null,
  account: AccountParts,
  context: Context,
): Promise<List> {
  const lists = auditLists(await account.records('audits'));
  if (id === null) {
    const which = await whichOf(args, account, context);
    return { ...which, keep: () => lists.keep(which.sets) };
  }
  const sets = await lists.find(id);
  if (sets === null) throw listGone(args);
  return { sets, warnings: [], keep: async () => id };
}

async function whichOf(args: Arguments, account: AccountParts, context: Context): Promise<WhichSets> {
  const { catalogue } = context;
  const { deadline } = context;
  const { kind, id, targetKind, targetId, mine } = args;
  switch (waysIn(args).join()) {
    case 'mine': {
      if (mine !== true) break;
      const index = context.titles.mode === 'off' ? null : await context.titles.index();
      const { sets, warnings } = await findOwnSets({ ...account, deadline, index });
      const none = sets.length === 0 ? ['No Set of the connected account was found.'] : [];
      const others = 'audit_sets takes any other Set by its kind and id.';
      return {
        sets: sets.map((set) => ({ kind: null, id: set.id })),
        warnings: [...warnings, others, ...none],
      };
    }
    case 'kind,id': {
      if (kind === undefined || id === undefined) break;
      if (!isGroupKind(kind)) return { sets: [{ kind, id }], warnings: [] };
      return readOrExplain(kind, id, context, () => setsIn(catalogue, { kind, id }, deadline));
    }
    case 'targetKind,targetId':
      if (targetKind === undefined || targetId === undefined) break;
      return readOrExplain(entityKind.parse(targetKind), targetId, context, () =>
        setsOfTarget(catalogue, { kind: targetKind, id: targetId }, deadline),
      );
  }
  throw invalidArguments('audit_sets takes one of kind with id, targetKind with targetId, or mine: true', [
    { code: 'which', message: 'one of the three is needed, and only one', path: [] },
  ]);
}

function waysIn({ kind, id, targetKind, targetId, mine }: Arguments): string[] {
  const given = Object.entries({ kind, id, targetKind, targetId, mine });
  return given.filter(([, value]) => value !== undefined).map(([name]) => name);
}

function listGone({ cursor: _, ...again }: Arguments): ArtworkError {
  const message =
    'The list that this cursor goes on with is not kept any more: it is kept for two days, on the machine that began it.';
  const next = { tool: 'audit_sets', arguments: again, why: 'It begins again.' };
  return new ArtworkError('not_found', message, { next });
}

/** One page of them; each read beside the others of the page, so that what they are for is read once. */
async function auditFrom(
  sets: readonly NamedSet[],
  offset: number,
  args: Arguments,
  account: AccountParts,
  context: Context,
  endsAt: number,
): Promise<AuditPage> {
  const isOne = sets.length === 1;
  const isKnown = await isConnected(account.connections);
  const hasTime = () => performance.now() < endsAt;
  const auditor = createAuditor(
    {
      catalogue: context.catalogue,
      // What is the account's own, and what the ledger knows of it, needs an account.
      owned: isKnown ? account.owned : null,
      bytes: isKnown ? await account.mutations.knownBytes() : new Map<string, string>(),
      deadline: context.deadline,
      now: Date.now,
      hasTime,
    },
    isOne,
  );
  const folders = await foldersOf(context);
  return auditPage(sets, {
    offset,
    limit: args.limit,
    hasTime,
    async audit(named) {
      const audit = isOne
        ? await explained(named, context, () => auditor.audit(named))
        : await auditor.tryAudit(named);
      return 'error' in audit ? audit : { ...audit, next: mendOf(audit, folders) };
    },
    sizeOf: (audit) =>
      !isOne && isInOrder(audit)
        ? inOrderWords([audit]).length
        : JSON.stringify(shown(audit, isOne, context)).length + 1,
    progress: (done) => context.progress(done, sets.length, 'Sets audited'),
  });
}

async function explained(
  { kind, id }: NamedSet,
  context: Context,
  audit: () => Promise<SetAudit>,
): Promise<SetAudit> {
  const known = setKind.safeParse(kind);
  return known.success ? readOrExplain(known.data, id, context, audit) : audit();
}

async function isConnected(connections: AccountParts['connections']): Promise<boolean> {
  try {
    await connections.account();
    return true;
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category === 'not_connected' || error.category === 'reconnect_required') return false;
    throw error;
  }
}

async function foldersOf(context: Context): Promise<readonly string[]> {
  return [...new Set([...context.settings.uploadRoots, ...(await context.roots())])];
}

function isInOrder(audit: Audit): audit is SetAudit {
  return 'findings' in audit && audit.findings.length === 0;
}

/** Sets that need nothing, in one line: `3 Sets: show_set 4, 7; movie_set 12`. */
function inOrderWords(audits: readonly SetAudit[]): string {
  const named = (some: readonly SetAudit[]) =>
    [...groupedBy(some, ({ set }) => set.kind)]
      .map(([kind, own]) => `${kind} ${own.map(({ set }) => set.id).join(', ')}`)
      .join('; ');
  const unsure = audits.filter((audit) => ownUnchecked(audit).length > 0);
  // No finding of what was not checked is no sign that it is right.
  const rest =
    unsure.length === 0
      ? ''
      : `. Not all could be checked in ${unsure.length === audits.length ? 'them' : named(unsure)}: audit_sets with kind and id says what`;
  return `${countOf(audits.length, 'Set')}: ${named(audits)}${rest}.`;
}

/** What could not be checked in this Set in particular. */
function ownUnchecked({ unchecked }: SetAudit): string[] {
  return unchecked.filter((words) => words !== unpublishedWords);
}

/** What is the same for each Set is told once. */
function unclearWords(audits: readonly Audit[]): string[] {
  const unclear = audits.filter(
    (audit) => 'unchecked' in audit && audit.unchecked.includes(unpublishedWords),
  );
  return unclear.length === 0
    ? []
    : [`Not checked in ${countOf(unclear.length, 'Set')}: ${unpublishedWords}`];
}

/** Of several Sets only what is found and what could not be checked; of one by itself also what it has. */
function shown(audit: Audit, isOne: boolean, context: Context): object {
  if ('error' in audit) return { ...audit.set, error: audit.error };
  const { set, work, findings, slots, without, next } = audit;
  const unchecked = isOne ? audit.unchecked : ownUnchecked(audit);
  const told = findings.map(({ code, words }) => ({ code, words }));
  const facts = { kind: set.kind, id: set.id, title: set.title };
  const mend = next === null ? {} : { next: within(next, context) };
  // No finding of what was not checked is no sign that it is right.
  const unsure = unchecked.length === 0 ? {} : { notChecked: unchecked };
  if (!isOne) {
    const by = set.own ? {} : { by: set.by };
    return { ...facts, ...by, findings: told, ...unsure, ...mend };
  }
  return {
    ...facts,
    by: set.by,
    own: set.own,
    changedAt: set.changedAt,
    ...(work === null ? {} : { of: work }),
    pictures: slots,
    without,
    findings: told,
    ...unsure,
  };
}

/** A call that the settings have switched off is not named. */
function within(next: Next, { settings }: Context): Next {
  return isOffered('curate', readOnly, settings) ? next : { why: next.why };
}
