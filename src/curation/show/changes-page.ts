import { ArtworkError } from '../../errors.ts';
import { kindWords } from '../../model/kinds.ts';
import { slotWords } from '../../model/slots.ts';
import { capitalisedWords, countOf, dayWords, timeWords } from '../../model/words.ts';
import type { ChangeLine, ChangesPage, NamedTarget, PlaceChange, Scope } from '../changes/change.ts';
import {
  type EmbeddedPicture,
  type Embedding,
  embedPictures,
  type PagePictures,
  type UnseenPicture,
} from './embed.ts';
import { type Page, type PageSection, picturesIn, type ShownChange } from './page.ts';

const scopeWords: Readonly<Record<Scope, string>> = {
  mine: 'artwork of your own',
  watched: 'what you watch',
  followed: 'creators whom you follow',
  all: 'the whole catalogue',
};

/** The changes of an answer as a page that is made now: what stood there before and what stands there now, Set by Set. */
export function changesPage({ asked, since, lines, coverage, warnings }: ChangesPage, now: Date): Page {
  const from = timeWords(since) ?? since;
  const oldest = coverage.oldest === null ? null : timeWords(coverage.oldest);
  const only = [asked.changeType, asked.slot === null ? null : `${slotWords(asked.slot)} only`];
  return {
    page: 'changes',
    kind: 'Changes',
    title: `What changed ${sinceWords(since, now)}`,
    facts: [scopeWords[asked.scope], ...only.filter((word) => word !== null)],
    tallies: [],
    notes: [
      coverage.complete
        ? `The service tells of everything since ${from}.`
        : `The service tells of recent changes only${oldest === null ? '' : `, here back to ${oldest}`}: older ones may be missing.`,
      ...warnings,
    ],
    blocks: lines.map(sectionOf),
    nothing: 'Nothing changed.',
  };
}

function sinceWords(since: string, now: Date): string {
  const day = dayWords(since);
  if (day === null || day !== dayWords(now.toISOString())) return `since ${day ?? since}`;
  const hour = new Date(since).toISOString().slice(11, 16);
  return hour === '00:00' ? 'today' : `since ${hour} UTC today`;
}

function sectionOf({ set, setChange, of, createdBy, places, lastAt }: ChangeLine): PageSection {
  const title = headingOf(set ?? of);
  const work = of?.title ?? null;
  const isNamed = work === null || title.includes(work.replace(/ \(\d{4}\)$/, ''));
  const about = isNamed ? [] : [`for ${work}`];
  const what = setChange === 'added' ? ['new Set'] : setChange === null ? [] : [`Set ${setChange}`];
  const when = lastAt === null ? null : dayWords(lastAt);
  return {
    block: 'section',
    title,
    facts: [
      ...(createdBy === null ? [] : [`by ${createdBy}`]),
      ...about,
      ...what,
      ...(when === null ? [] : [when]),
    ],
    tallies: [],
    notes: [],
    blocks: [{ block: 'changes', changes: places.map(shownChange) }],
  };
}

/** What no read has named is told from its like by its number. */
function headingOf(named: NamedTarget | null): string {
  return named === null ? 'Other artwork' : (named.title ?? `${kindWords(named.kind)} ${named.id}`);
}

function shownChange(place: PlaceChange): ShownChange {
  const { slot, label, lastAt, before, after } = place;
  return {
    label: label === '' ? capitalisedWords(slotWords(slot)) : `${label} ${slotWords(slot)}`,
    what: whatOf(place),
    when: lastAt === null ? 'at no known time' : (timeWords(lastAt) ?? lastAt),
    slot,
    before: before === null ? null : { picture: before.assetId },
    after: { picture: after.path },
  };
}

function whatOf({ change, replacements, between }: PlaceChange): string {
  const often = ['', 'replaced', 'replaced twice'][replacements] ?? `replaced ${replacements} times`;
  const first = change === 'updated' ? 'described anew' : change;
  const words = replacements === 0 ? first : change === 'added' ? `added, then ${often}` : often;
  return between === 0 || replacements > 1 ? words : `${words}, ${countOf(between, 'more change')}`;
}

/** In the place of a picture that the service may well have: there was no room or no time for it. */
const leftOutWords = 'left out here, the page is full';
/** In the place of a picture that was asked for wherever it may be: the service may have it all the same. */
const goneWords = 'not shown any more';

interface ReadPictures {
  /** Every picture of the page, or why it does not stand in it. */
  readonly pictures: PagePictures;
  /** How many different pictures there are, and how many of them were not asked for. */
  readonly total: number;
  readonly leftOut: number;
}

/**
 * Reads the pictures of a page of changes, the newest first. What was not asked for is told apart from what the
 * service does not show.
 * @param most pictures that the page has room for
 * @throws ArtworkError `cancelled` alone
 */
export async function readPicturesOfChanges(
  { blocks }: Page,
  { read, hasTime, progress }: Embedding,
  most: number,
): Promise<ReadPictures> {
  const all = [...new Set(picturesIn(blocks))];
  const asked = new Set<string>();
  const gone = new Set<string>();
  const embedded = await embedPictures(all.slice(0, most), {
    async read(picture) {
      asked.add(picture);
      try {
        return await read(picture);
      } catch (error) {
        if (error instanceof ArtworkError && error.category === 'not_found') gone.add(picture);
        throw error;
      }
    },
    hasTime,
    progress,
  });
  const stateOf = (picture: string): EmbeddedPicture | UnseenPicture => {
    if (gone.has(picture)) return { unseen: goneWords };
    const found = asked.has(picture) ? embedded.get(picture) : undefined;
    return found ?? { unseen: leftOutWords };
  };
  return {
    pictures: new Map(all.map((picture) => [picture, stateOf(picture)])),
    total: all.length,
    leftOut: all.filter((picture) => !asked.has(picture)).length,
  };
}

/** What the page and the answer say of pictures that are left out; none: all were asked for. */
export function leftOutNotes({ total, leftOut }: ReadPictures): string[] {
  if (leftOut === 0) return [];
  return [
    `The page shows what room and time allow: ${leftOut} of its ${total} pictures are left out, and may well be there. For a page that shows all, ask for one slot only, for a shorter time, or for fewer changes at once.`,
  ];
}
