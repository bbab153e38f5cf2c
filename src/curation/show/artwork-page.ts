import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { isKind, isSetKind, slotsWithin } from '../../model/kinds.ts';
import { type ArtworkSet, setOf } from '../../model/set.ts';
import { slotMeant } from '../../model/slots.ts';
import { countOf } from '../../model/words.ts';
import { filmsListedBy, type Season, seasonOf } from '../../model/work.ts';
import { mapLimit } from '../../wire/pacing.ts';
import { embedPictures, lateWords, openThumbnails } from './embed.ts';
import { entityGallery, galleryPage, type KnownParts, setGallery } from './gallery.ts';
import { type PageSection, picturesIn } from './page.ts';
import type { Picture } from './picture.ts';
import { madeWords, type PageOwner, type SavedPage, writePage } from './save.ts';

/** What a call names by its kind and id. */
export interface NamedArtwork {
  readonly kind: string;
  readonly id: number;
  readonly slot: string | null;
}

/** What a page of artwork is made from. */
interface ArtworkPageOptions {
  readonly named: readonly NamedArtwork[];
  /** All pictures that the call names; one that no Set or entity accounts for is shown by itself. */
  readonly pictures: readonly Picture[];
  /** The contact sheet of the answer, as PNG. */
  readonly sheet: Buffer | null;
  /** Asked once all is read. */
  owner(): Promise<PageOwner>;
  read(picture: Picture): Promise<Buffer>;
}

/** What a call has at hand to make it. */
interface Making {
  readonly catalogue: Pick<Catalogue, 'readEntity' | 'readSet'>;
  readonly settings: {
    readonly home: string;
    readonly assetUrl: string | null;
    readonly baseUrl: string | null;
  };
  readonly deadline: Deadline;
  progress(done: number, of: number, message: string): Promise<void>;
}

export interface ArtworkPage extends SavedPage {
  /** Different pictures that belong on it. */
  readonly total: number;
  /** Those of them that there was no time or no room for. */
  readonly leftOut: number;
}

/** Milliseconds of the call that are left for the answer. */
const reserveMs = 8_000;
/** More than anybody looks through, and more than a call has time for. */
const mostPictures = 400;
const fewReads = 4;

/**
 * Saves the page of what a call names: whole Sets and entities with their gaps, however many pictures the answer itself
 * shows. Null where there is nothing to show.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function writeArtworkPage(
  { named, pictures: all, sheet, owner, read }: ArtworkPageOptions,
  making: Making,
): Promise<ArtworkPage | null> {
  const now = new Date();
  const sections = await mapLimit(named, fewReads, (one) => sectionOf(one, now, making));
  const whole = sections.flatMap((section) => section ?? []);
  const loose = looseIn(all, named, sections);
  const shown = loose.length === 0 ? whole : [...whole, looseSection(loose, whole.length > 0)];
  if (shown.length === 0) return null;
  const page = galleryPage(shown);
  const wanted = [...new Set(picturesIn(page.blocks))];
  const pictures = await readPictures(wanted, all, read, now, making);
  const leftOut = wanted.filter((ref) => {
    const picture = pictures.get(ref);
    return picture === undefined || ('unseen' in picture && picture.unseen === lateWords);
  }).length;
  const late =
    leftOut === 0
      ? ''
      : ` ${leftOut} of its ${wanted.length} pictures are left out: there was no time for them.`;
  const foot = `Made ${madeWords(now)} from what the catalogue showed then.${late}`;
  const place = { home: making.settings.home, owner: await owner() };
  const saved = await writePage(page, pictures, foot, place, now, sheet);
  return { ...saved, total: wanted.length, leftOut };
}

/** What the sections do not show. What stands for an entity in an answer is one more picture beside all of its artwork, where it has any. */
function looseIn(
  pictures: readonly Picture[],
  named: readonly NamedArtwork[],
  sections: readonly (PageSection | null)[],
): Picture[] {
  const shown = new Set(sections.flatMap((section) => picturesIn(section?.blocks ?? [])));
  const pictured = new Set(
    named.flatMap(({ kind, id }, at) =>
      picturesIn(sections[at]?.blocks ?? []).length > 0 ? [`${kind} ${id}`] : [],
    ),
  );
  return pictures.filter(
    ({ ref, seenIn }) =>
      !shown.has(ref) && (seenIn === undefined || !pictured.has(`${seenIn.kind} ${seenIn.id}`)),
  );
}

function looseSection(pictures: readonly Picture[], beside: boolean): PageSection {
  const cells = pictures.map(({ ref, label }) => ({
    cell: 'picture' as const,
    picture: ref,
    label,
    slot: 'poster',
  }));
  return {
    block: 'section',
    kind: 'Artwork',
    title: beside ? 'Other pictures' : pictures.length === 1 ? (pictures[0]?.label ?? '') : 'Pictures',
    facts: [countOf(pictures.length, 'picture')],
    tallies: [],
    notes: [],
    blocks: [{ block: 'pictures', heading: beside ? 'Pictures' : 'Side by side', rows: [cells] }],
  };
}

/** What was made of pictures of the catalogue before is kept; a file of this machine may be another one by the next call. */
async function readPictures(
  wanted: readonly string[],
  pictures: readonly Picture[],
  read: ArtworkPageOptions['read'],
  now: Date,
  { settings: { home, assetUrl, baseUrl }, deadline, progress }: Making,
) {
  const byRef = new Map(pictures.map((picture) => [picture.ref, picture]));
  const isFile = (ref: string) => byRef.get(ref)?.file !== undefined;
  const endsAt = performance.now() + deadline.left() - reserveMs;
  const kept = await openThumbnails(home, assetUrl ?? baseUrl ?? 'embedded', now.getTime());
  return embedPictures(wanted.slice(0, mostPictures), {
    read: (ref) => read(byRef.get(ref) ?? { ref, label: '' }),
    hasTime: () => performance.now() < endsAt,
    progress: (done, of) => progress(done, of, 'pictures of the page'),
    kept: {
      find: async (ref, box) => (isFile(ref) ? null : kept.find(ref, box)),
      keep: async (ref, box, embedded) => (isFile(ref) ? undefined : kept.keep(ref, box, embedded)),
    },
  });
}

/** Null for what is no public Set or entity: its pictures are shown by themselves. */
async function sectionOf(
  { kind, id, slot: word }: NamedArtwork,
  now: Date,
  making: Making,
): Promise<PageSection | null> {
  const { catalogue, deadline } = making;
  const slot = word === null ? null : (slotMeant(word, slotsWithin(kind)) ?? word);
  return unlessUnread(async () => {
    if (isKind(kind)) {
      return entityGallery(kind, id, await catalogue.readEntity(kind, id, deadline), slot);
    }
    if (!isSetKind(kind)) return null;
    const set = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
    return setGallery(set, {
      slot,
      parts: await partsOf(set, making),
      today: now.toISOString().slice(0, 10),
    });
  });
}

/** Of what a Set is for; what can't be read stays without. */
async function partsOf({ work, seasons }: ArtworkSet, { catalogue, deadline }: Making): Promise<KnownParts> {
  const read = await mapLimit(seasons, fewReads, ({ id }) =>
    unlessUnread(async () => seasonOf(await catalogue.readEntity('season', id, deadline))),
  );
  const films =
    work?.kind === 'collection'
      ? await unlessUnread(async () =>
          filmsListedBy(await catalogue.readEntity('collection', work.id, deadline)),
        )
      : null;
  return { seasons: read.filter((season): season is Season => season !== null), films: films ?? [] };
}

/** @throws ArtworkError `cancelled` alone */
async function unlessUnread<Value>(read: () => Promise<Value | null>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}
