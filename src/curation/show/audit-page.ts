import { groupedBy } from '../../grouped-by.ts';
import { kindWords } from '../../model/kinds.ts';
import { slotsWords } from '../../model/slots.ts';
import { seasonWords } from '../../model/target.ts';
import { capitalisedWords, countOf, dayWords, listWords } from '../../model/words.ts';
import type { Audit, AuditFinding, SetAudit, SlotCoverage } from '../audit/audit.ts';
import type { Block, FindingBlock, Page, PageSection, ShownFinding, Tally } from './page.ts';

type FailedAudit = Extract<Audit, { readonly error: object }>;

/**
 * Audited Sets as a page: what they lack and what is wrong in them, season by season, with what would mend it.
 * @param total how many Sets there are, of which these may be a part
 */
export function auditPage(audits: readonly Audit[], total: number): Page {
  const read = audits.flatMap((audit) => ('error' in audit ? [] : [audit]));
  const faulty = read.filter(({ findings }) => findings.length > 0).length;
  const inOrder = read.filter(({ findings }) => findings.length === 0);
  const others = audits.filter((audit) => 'error' in audit || audit.findings.length > 0);
  return {
    page: 'audit',
    kind: 'Audit',
    title: titleOf(audits, total),
    facts: [
      ...(audits.length < total ? [`${audits.length} of them on this page`] : []),
      faulty === 0 ? 'nothing to mend' : `${faulty} with something to mend`,
    ],
    tallies: [],
    notes: [],
    blocks: [
      ...others.map((audit) => ('error' in audit ? failedSection(audit) : sectionOf(audit))),
      ...linesOf(inOrder),
    ],
    nothing: 'There was no Set to audit.',
  };
}

/** Sets that need nothing, in a line each. */
function linesOf(audits: readonly SetAudit[]): Block[] {
  if (audits.length === 0) return [];
  const lines = audits.map((audit) => ({ title: audit.set.title, facts: factsOf(audit) }));
  return [{ block: 'lines', heading: 'Nothing to mend', note: countOf(lines.length, 'Set'), lines }];
}

/** Whose or of what they are, where that is one. */
function titleOf(audits: readonly Audit[], total: number): string {
  const read = audits.flatMap((audit) => ('error' in audit ? [] : [audit]));
  const [first] = read;
  if (first === undefined) return total === 1 ? 'One Set' : `${total} Sets`;
  const isAll = (same: (audit: SetAudit) => boolean) => read.length === audits.length && read.every(same);
  if (total === 1) return first.set.title;
  if (isAll(({ set }) => set.own)) return `Your ${total} Sets`;
  if (isAll(({ work }) => work !== null && work.id === first.work?.id && work.kind === first.work.kind)) {
    return `${total} Sets of ${first.work?.title}`;
  }
  if (isAll(({ set }) => set.by !== null && set.by === first.set.by))
    return `${total} Sets by ${first.set.by}`;
  return `${total} Sets`;
}

function failedSection({ set, error }: FailedAudit): PageSection {
  return {
    block: 'section',
    ...{ title: `${kindWords(set.kind)} ${set.id}`, facts: [], tallies: [], notes: [] },
    blocks: [{ block: 'notes', weight: 'bad', notes: [`It could not be audited: ${error.message}`] }],
  };
}

function sectionOf(audit: SetAudit): PageSection {
  const { set, slots, without, findings, unchecked, next } = audit;
  const notes = [
    ...withoutWords(without),
    ...unchecked.map((what) => `Not checked: ${what.charAt(0).toLowerCase()}${what.slice(1)}`),
  ];
  return {
    block: 'section',
    ...{ title: set.title, facts: factsOf(audit), tallies: talliesOf(slots), notes: [] },
    blocks: [
      bySeason(findings),
      { block: 'notes', notes },
      ...(next?.tool === undefined
        ? []
        : [{ block: 'ask' as const, summary: 'How to mend it', ask: mendWords(audit) }]),
    ],
  };
}

function factsOf({ set, work }: SetAudit): string[] {
  const changed = set.changedAt === null ? null : dayWords(set.changedAt);
  const isNamed = work === null || set.title.includes(work.title.replace(/ \(\d{4}\)$/, ''));
  return [
    set.own ? 'yours' : set.by === null ? null : `by ${set.by}`,
    kindWords(set.kind),
    isNamed ? null : `for ${work.title}`,
    changed === null ? null : `changed ${changed}`,
  ].filter((fact) => fact !== null);
}

/** What a person asks for in the conversation, in their words: the host makes the calls. */
function mendWords({ set, findings }: SetAudit): string {
  const codes = new Set(findings.map(({ code }) => code));
  const wants = [
    ...(codes.has('missing') || codes.has('older_than_episodes') ? ['add what is missing'] : []),
    ...(codes.has('wrong_ratio') ? ['replace the pictures of a wrong ratio'] : []),
    ...(codes.has('doubled') || codes.has('ghost') || codes.has('mixed_language')
      ? ['look with me at the pictures that are doubled, left over or in another language']
      : []),
  ];
  const what = wants.length === 0 ? 'plan an edit' : listWords(wants);
  return `In my ${kindWords(set.kind)} ${set.id}, “${set.title}”, ${what}, from a folder that I name.`;
}

/** `poster of season` and `backdrop of season` are no season posters or backdrops. */
function withoutWords(without: readonly string[]): string[] {
  const places = without.map((words) => words.split(' of '));
  const nothing = [...groupedBy(places, ([, kind = '']) => kind)].map(([kind, of]) => {
    const slots = of.map(([slot = '']) => slotsWords(slot));
    return `no ${kind} ${listWords(slots, 'or')}`.replace('  ', ' ');
  });
  return nothing.length === 0 ? [] : [`It has ${listWords(nothing)}.`];
}

/** What the Set is for has one of each; of others a count by itself tells something. */
function talliesOf(slots: readonly SlotCoverage[]): Tally[] {
  return slots
    .filter(({ has, total }) => has > 0 && total > 1)
    .map(({ of, slot, has, total }) => ({
      name: capitalisedWords(of === 'episode' ? slotsWords(slot) : `${of} ${slotsWords(slot)}`),
      has,
      of: total,
    }));
}

function bySeason(findings: readonly AuditFinding[]): FindingBlock {
  return {
    block: 'findings',
    groups: [...groupedBy(findings, ({ season }) => season)]
      .sort(([one], [other]) => rankOf(one) - rankOf(other))
      .map(([season, found]) => ({
        heading: season === null ? 'The Set' : seasonWords(season),
        found: found.map(shownFinding),
      })),
  };
}

/** The whole first, the specials last. */
function rankOf(season: number | null): number {
  return season === null ? -1 : season === 0 ? Number.MAX_SAFE_INTEGER : season;
}

function shownFinding({ words, places, code }: AuditFinding): ShownFinding {
  const [first] = places;
  // What the heading or the sentence says already is not said again.
  const told = first !== undefined && (words.includes(first) || /^S\d+$/.test(places.join()));
  // The season stands beside it.
  const rest = capitalisedWords(words.replace(/^(Season \d+|Specials): /, ''));
  return { words: rest, places: told ? [] : places, weight: code === 'not_yet_aired' ? 'later' : 'bad' };
}
