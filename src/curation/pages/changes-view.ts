import type { ChangeLine, ChangesPage, PlaceChange, Scope, Version } from '../changes/change.ts';
import type { ChangedView, ChangesView, ChangeView } from './view.ts';
import { capitalisedWords, dayWords, slotWords, timeWords } from './words.ts';

const scopeWords: Readonly<Record<Scope, string>> = {
  mine: 'artwork of your own',
  watched: 'what you watch',
  followed: 'creators whom you follow',
  all: 'the whole catalogue',
};

/** The changes of an answer as a page, with what stood there before and what stands there now. */
export function changesView({ asked, since, lines, coverage, warnings }: ChangesPage): ChangesView {
  const from = timeWords(since) ?? since;
  const oldest = coverage.oldest === null ? null : timeWords(coverage.oldest);
  const only = [asked.changeType, asked.slot === null ? null : `${slotWords(asked.slot)} only`];
  return {
    page: 'changes',
    kind: 'Changes',
    title: `What changed since ${dayWords(since) ?? since}`,
    facts: [scopeWords[asked.scope], ...only.filter((word) => word !== null)],
    tallies: [],
    notes: [
      coverage.complete
        ? `The service tells of everything since ${from}.`
        : `The service tells of recent changes only${oldest === null ? '' : `, here back to ${oldest}`}: older ones may be missing.`,
      ...warnings,
    ],
    changed: lines.map(changedOf),
  };
}

function changedOf({ set, setChange, of, by, places, lastAt }: ChangeLine): ChangedView {
  const title = set?.title ?? of?.title ?? 'Artwork of several works';
  const work = of?.title ?? null;
  const isNamed = work === null || title.includes(work.replace(/ \(\d{4}\)$/, ''));
  const about = isNamed ? [] : [`for ${work}`];
  const what = setChange === 'added' ? ['new Set'] : setChange === null ? [] : [`Set ${setChange}`];
  const when = lastAt === null ? null : dayWords(lastAt);
  return {
    title,
    facts: [...(by === null ? [] : [`by ${by}`]), ...about, ...what, ...(when === null ? [] : [when])],
    changes: places.map(changeOf),
  };
}

function changeOf(place: PlaceChange): ChangeView {
  const { slot, label, lastAt, before, after, replacements } = place;
  return {
    label: label === '' ? capitalisedWords(slotWords(slot)) : `${label} ${slotWords(slot)}`,
    what: whatOf(place),
    when: lastAt === null ? 'at no known time' : (timeWords(lastAt) ?? lastAt),
    slot,
    before: replacements === 0 ? null : pictureOf(before),
    after: pictureOf(after),
  };
}

function pictureOf(version: Version | null): { readonly picture: string | null } {
  return { picture: version?.path ?? null };
}

function whatOf({ change, replacements, between }: PlaceChange): string {
  const words =
    replacements === 1
      ? 'replaced'
      : replacements === 2
        ? 'replaced twice'
        : replacements > 2
          ? `replaced ${replacements} times`
          : change === 'updated'
            ? 'described anew'
            : change;
  return between === 0 || replacements > 1
    ? words
    : `${words}, ${between} more ${between === 1 ? 'change' : 'changes'}`;
}

/** The pictures of a page of changes, the newest first. */
export function picturesOfChanges({ changed }: ChangesView): string[] {
  return changed.flatMap(({ changes }) =>
    changes.flatMap(({ before, after }) => [before?.picture ?? [], after.picture ?? []].flat()),
  );
}
