import type { Audit, AuditFinding, SetAudit, SlotCoverage } from '../audits/audit.ts';
import { html, type Markup, shortText } from './html.ts';
import { groupedBy } from '../../grouped-by.ts';
import {
  capitalisedWords,
  countOf,
  dayWords,
  kindWords,
  listWords,
  seasonWords,
  slotsWords,
} from '../words.ts';
import { Canvas, cellFacts, headingOf, headOf, pageOf, talliesOf } from './sections.ts';
import type { AuditedView, AuditView, FindingView, Tally } from './view.ts';

/** What Sets lack and what is wrong in them, Set by Set and season by season, with what would mend it. */
export function auditPageView(view: AuditView, foot: string): string {
  const canvas = new Canvas(new Map());
  const top = html`<header class="top">${headOf(view, 'h1', canvas)}</header>`;
  const isWhole = (audited: AuditedView) => audited.failed === undefined && audited.findings.length === 0;
  const main =
    view.sets.length === 0
      ? html`<p class="nothing">There was no Set to audit.</p>`
      : [
          view.sets.filter((audited) => !isWhole(audited)).map((audited) => auditedOf(audited, canvas)),
          inOrderOf(view.sets.filter(isWhole)),
        ];
  return pageOf({ title: view.title, top, main, foot }, canvas);
}

/** Sets that need nothing, in a line each. */
function inOrderOf(sets: readonly AuditedView[]): Markup | null {
  if (sets.length === 0) return null;
  return html`<section class="part"><div class="title">${headingOf('h2', 'Nothing to mend')}<p>${countOf(sets.length, 'Set')}</p></div>
<ul class="order">${sets.map(({ title, facts }) => html`<li><bdi>${shortText(title, 160)}</bdi>${cellFacts(facts)}</li>`)}</ul></section>`;
}

function auditedOf(audited: AuditedView, canvas: Canvas): Markup {
  const { title, facts, tallies, findings, notes, failed, mend } = audited;
  return html`<article class="part">${headingOf('h2', title)}
${cellFacts(facts)}
${failed !== undefined && html`<p class="verdict bad">It could not be audited: ${shortText(failed, 300)}</p>`}
${talliesOf(tallies, canvas)}
${
  findings.length > 0 &&
  html`<dl class="findings">${findings.map(
    ({ heading, found }) =>
      html`<div><dt>${heading ?? 'The Set'}</dt><dd><ul>${found.map(findingOf)}</ul></dd></div>`,
  )}</dl>`
}
${notes.map((note) => html`<p class="notes">${shortText(note, 400)}</p>`)}
${mend !== undefined && html`<details class="more"><summary>How to mend it</summary><p>In the conversation that made this page, ask: <q>${shortText(mend, 400)}</q></p></details>`}</article>`;
}

const mostPlaces = 40;

function findingOf({ words, places, weight }: FindingView): Markup {
  return html`<li class="${weight}"><span>${shortText(words, 300)}</span>${
    places.length > 0 &&
    html` <ul class="places">${places.slice(0, mostPlaces).map((place) => html`<li><bdi>${shortText(place, 80)}</bdi></li>`)}${
      places.length > mostPlaces && html`<li>and ${places.length - mostPlaces} more</li>`
    }</ul>`
  }</li>`;
}

/**
 * Audited Sets as a page.
 * @param total how many Sets there are, of which these may be a part
 */
export function auditView(audits: readonly Audit[], total: number): AuditView {
  const found = audits.filter((audit) => !('error' in audit) && audit.findings.length > 0).length;
  return {
    page: 'audit',
    kind: 'Audit',
    title: titleOf(audits, total),
    facts: [
      ...(audits.length < total ? [`${audits.length} of them on this page`] : []),
      found === 0 ? 'nothing to mend' : `${found} with something to mend`,
    ],
    tallies: [],
    notes: [],
    sets: audits.map((audit) => ('error' in audit ? failedView(audit) : auditedView(audit))),
  };
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

function failedView({ set, error }: Extract<Audit, { readonly error: object }>): AuditedView {
  const title = `${kindWords(set.kind)} ${set.id}`;
  return { title, facts: [], tallies: [], findings: [], notes: [], failed: error.message };
}

function auditedView(audit: SetAudit): AuditedView {
  const { set, work, slots, without, findings, unchecked, next } = audit;
  const changed = set.changedAt === null ? null : dayWords(set.changedAt);
  const isNamed = work === null || set.title.includes(work.title.replace(/ \(\d{4}\)$/, ''));
  return {
    title: set.title,
    facts: [
      set.own ? 'yours' : set.by === null ? null : `by ${set.by}`,
      kindWords(set.kind),
      isNamed ? null : `for ${work.title}`,
      changed === null ? null : `changed ${changed}`,
    ].filter((fact) => fact !== null),
    tallies: tallySlots(slots),
    findings: bySeason(findings),
    notes: [...withoutWords(without), ...unchecked.map((what) => `Not checked: ${uncapitalised(what)}`)],
    ...(next?.tool === undefined ? {} : { mend: mendWords(audit) }),
  };
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
function tallySlots(slots: readonly SlotCoverage[]): Tally[] {
  return slots
    .filter(({ has, total }) => has > 0 && total > 0)
    .map(({ of, slot, has, total }) => ({
      name: capitalisedWords(of === 'episode' ? slotsWords(slot) : `${of} ${slotsWords(slot)}`),
      has,
      of: total,
    }))
    .filter(({ of }) => of > 1);
}

function bySeason(findings: readonly AuditFinding[]): AuditedView['findings'] {
  return [...groupedBy(findings, ({ season }) => season)]
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([season, found]) => ({
      heading: season === null ? null : seasonWords(season),
      found: found.map(findingView),
    }));
}

/** The whole first, the specials last. */
function rankOf(season: number | null): number {
  return season === null ? -1 : season === 0 ? Number.MAX_SAFE_INTEGER : season;
}

function findingView({ words, places, code }: AuditFinding): FindingView {
  const [first] = places;
  // What the heading or the sentence says already is not said again.
  const told = first !== undefined && (words.includes(first) || /^S\d+$/.test(places.join()));
  // The season stands beside it.
  const rest = capitalisedWords(words.replace(/^(Season \d+|Specials): /, ''));
  return { words: rest, places: told ? [] : places, weight: code === 'not_yet_aired' ? 'later' : 'bad' };
}

function uncapitalised(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
