import { embedPictures, lateWords, openThumbnails } from '../curation/pages/embed.ts';
import { entityGallery, galleryPage } from '../curation/pages/gallery.ts';
import { newPageName, type SavedPage, savePage } from '../curation/pages/save.ts';
import { type EpisodeFacts, setGallery } from '../curation/pages/set-gallery.ts';
import { type GalleryPart, type GalleryView, picturesIn } from '../curation/pages/view.ts';
import { timeWords } from '../curation/words.ts';
import { slotMeant } from '../catalogue/records/kinds.ts';
import { ArtworkError } from '../errors.ts';
import type { Context } from '../mcp/context.ts';
import { entityKind, setKind } from '../mcp/kinds.ts';
import { mapLimit } from '../wire/pacing.ts';
import type { ArtworkItem } from './catalogue/artwork-item.ts';
import type { Picture } from './catalogue/picture.ts';
import type { ChangesPage } from '../curation/changes/change.ts';
import { picturesOfChanges } from '../curation/changes/replaced.ts';
import { changesPage, changesView, leftOutNotes, readPicturesOfChanges } from '../curation/pages/changes.ts';
import type { Audit } from '../curation/audits/audit.ts';
import { auditPageView, auditView } from '../curation/pages/audit.ts';
import path from 'node:path';
import { readPicture } from '../curation/local-picture.ts';
import { planPage, planView } from '../curation/pages/plan.ts';
import type { Plan } from '../curation/plan/plan.ts';

/** Milliseconds of the call that are left for the answer. */
const artworkReserveMs = 8_000;
/** More than anybody looks through, and more than a call has time for. */
const mostArtworkPictures = 400;
const fewReads = 4;

interface ArtworkPageOptions {
  readonly items: readonly ArtworkItem[];
  /** What the items name; what no Set or entity accounts for is shown by itself. */
  readonly pictures: readonly Picture[];
  /** The contact sheet of this answer. */
  readonly sheet: Buffer | null;
  read(picture: Picture): Promise<Buffer>;
}

export interface ArtworkPage extends SavedPage {
  /** Different pictures that belong on it. */
  readonly total: number;
  /** Those of them that there was no time or no room for. */
  readonly leftOut: number;
}

/**
 * The page of what view_artwork was asked for: whole Sets and entities with their gaps, however many pictures the
 * answer itself shows. Null where there is nothing to show.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function artworkPageOfAnswer(
  options: ArtworkPageOptions,
  context: Context,
): Promise<ArtworkPage | null> {
  const now = new Date();
  const read = await mapLimit(options.items, fewReads, async (item) => ({
    of: `${item.kind} ${item.id}`,
    part: await partOf(item, now, context),
  }));
  const parts = read.flatMap(({ part }) => part ?? []);
  const byKey = new Map(options.pictures.map((picture) => [picture.ref, picture]));
  const shown = new Set(parts.flatMap(({ sections }) => picturesIn(sections)));
  // What stands for an entity in an answer is one more picture beside all of its artwork, where it has any.
  const pictured = new Set(
    read.flatMap(({ of, part }) => (part !== null && picturesIn(part.sections).length > 0 ? [of] : [])),
  );
  const isLoose = ({ ref, seenIn }: Picture) =>
    !shown.has(ref) && (seenIn === undefined || !pictured.has(`${seenIn.kind} ${seenIn.id}`));
  const loose = options.pictures.filter(isLoose);
  const all = loose.length === 0 ? parts : [...parts, loosePart(loose, parts.length > 0)];
  if (all.length === 0) return null;
  const endsAt = performance.now() + context.deadline.left() - artworkReserveMs;
  const wanted = [...new Set(all.flatMap(({ sections }) => picturesIn(sections)))];
  const { home, assetUrl, baseUrl } = context.settings;
  const kept = await openThumbnails(home, assetUrl ?? baseUrl ?? 'embedded', now.getTime());
  // A file of this machine may be another one by the next call.
  const isFile = (ref: string) => byKey.get(ref)?.file !== undefined;
  const pictures = await embedPictures(wanted.slice(0, mostArtworkPictures), {
    read: (ref) => options.read(byKey.get(ref) ?? { ref, label: '' }),
    hasTime: () => performance.now() < endsAt,
    progress: (done, of) => context.progress(done, of, 'pictures of the page'),
    kept: {
      find: async (ref, box) => (isFile(ref) ? null : kept.find(ref, box)),
      keep: async (ref, box, embedded) => (isFile(ref) ? undefined : kept.keep(ref, box, embedded)),
    },
  });
  const isLate = (ref: string) => {
    const picture = pictures.get(ref);
    return picture === undefined || ('unseen' in picture && picture.unseen === lateWords);
  };
  const leftOut = wanted.filter(isLate).length;
  const late =
    leftOut === 0
      ? ''
      : ` ${leftOut} of its ${wanted.length} pictures are left out: there was no time for them.`;
  const name = newPageName('gallery', now);
  const view: GalleryView = { page: 'gallery', title: titleOf(all), parts: all };
  const html = galleryPage(
    view,
    pictures,
    `Made ${timeWords(now.toISOString()) ?? ''} from what the catalogue showed then.${late} This file is kept for a week.`,
  );
  const beside = options.sheet === null ? null : { png: options.sheet };
  return { ...(await savePage(home, name, html, beside, now)), total: wanted.length, leftOut };
}

function titleOf(parts: readonly GalleryPart[]): string {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first.title : `${parts.length} side by side`;
}

function loosePart(pictures: readonly Picture[], beside: boolean): GalleryPart {
  return {
    kind: 'Artwork',
    title: beside ? 'Other pictures' : pictures.length === 1 ? (pictures[0]?.label ?? '') : 'Pictures',
    facts: [`${pictures.length} ${pictures.length === 1 ? 'picture' : 'pictures'}`],
    tallies: [],
    notes: [],
    sections: [
      {
        heading: beside ? 'Pictures' : 'Side by side',
        rows: [
          pictures.map(({ ref, label }) => ({
            cell: 'picture' as const,
            picture: ref,
            label,
            slot: 'poster',
          })),
        ],
      },
    ],
  };
}

/** Null for what is no public Set or entity: its pictures are shown by themselves. */
async function partOf(item: ArtworkItem, now: Date, context: Context): Promise<GalleryPart | null> {
  const { kind, id } = item;
  if (id === undefined || item.url !== undefined) return null;
  const entity = entityKind.safeParse(kind);
  const set = setKind.safeParse(kind);
  const slot = item.slot === undefined ? undefined : (slotMeant(item.slot) ?? item.slot);
  try {
    if (entity.success) {
      return entityGallery(
        entity.data,
        await context.catalogue.readEntity(entity.data, id, context.deadline),
        slot,
      );
    }
    if (!set.success) return null;
    const record: Readonly<Record<string, unknown>> = await context.catalogue.readSet(
      set.data,
      id,
      context.deadline,
    );
    const episodes = await factsOf(record, context);
    return setGallery(set.data, record, { slot, episodes, today: now.toISOString().slice(0, 10) });
  } catch (error) {
    if (error instanceof ArtworkError && error.category !== 'cancelled') return null;
    throw error;
  }
}

/** Sets name episodes by their numbers alone, and films without their dates. What can't be read stays without. */
async function factsOf(
  { show, collection }: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<ReadonlyMap<number, EpisodeFacts>> {
  const seasons = typeof show === 'object' && show !== null && 'seasons' in show ? show.seasons : [];
  const ids = (Array.isArray(seasons) ? seasons : []).flatMap((season: unknown) =>
    typeof season === 'object' && season !== null && 'id' in season && typeof season.id === 'number'
      ? [season.id]
      : [],
  );
  const facts = new Map<number, EpisodeFacts>();
  const films =
    typeof collection === 'object' && collection !== null && 'id' in collection ? collection.id : null;
  if (typeof films === 'number') {
    await unlessUnread(async () => {
      const { movies } = await context.catalogue.readEntity('collection', films, context.deadline);
      for (const { id, title, releaseDate } of movies ?? []) {
        if (typeof id === 'number') facts.set(id, { title: title ?? '', airDate: releaseDate ?? null });
      }
    });
  }
  await mapLimit(ids, fewReads, (id) =>
    unlessUnread(async () => {
      const { episodes } = await context.catalogue.readEntity('season', id, context.deadline);
      for (const { id: episode, title, airDate } of episodes ?? []) {
        if (typeof episode === 'number') facts.set(episode, { title: title ?? '', airDate: airDate ?? null });
      }
    }),
  );
  return facts;
}

async function unlessUnread(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
  }
}

/** Milliseconds of the call that are left for the answer. */
const changesReserveMs = 6_000;
/** Enough to look through; further changes are told in words. */
const mostChangedPictures = 200;

interface WrittenChangesPage extends SavedPage {
  /** What the answer has to say of the page. */
  readonly warnings: readonly string[];
}

/**
 * Reads the pictures of the changes that an answer tells of, and saves the page of them.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function changesPageOfAnswer(
  changes: ChangesPage,
  context: Context,
): Promise<WrittenChangesPage> {
  const now = new Date();
  const view = changesView(changes, now);
  const endsAt = performance.now() + context.deadline.left() - changesReserveMs;
  const embedding = {
    read: picturesOfChanges(changes.lines, {
      picture: async (path) => (await context.catalogue.fetchImage(path, context.deadline)).bytes,
      account: context.account,
      deadline: context.deadline,
    }),
    hasTime: () => performance.now() < endsAt,
    progress: (done: number, of: number) => context.progress(done, of, 'pictures of the page'),
  };
  const read = await readPicturesOfChanges(view, embedding, mostChangedPictures);
  const warnings = leftOutNotes(read);
  const html = changesPage(
    { ...view, notes: [...warnings, ...view.notes] },
    read.pictures,
    `Made ${timeWords(now.toISOString()) ?? ''} from what the service’s feeds told then. This file is kept for a week.`,
  );
  const saved = await savePage(context.settings.home, newPageName('changes', now), html, null, now);
  return { ...saved, warnings };
}

/** Milliseconds of the call that are left for the answer. */
const planReserveMs = 6_000;
const mostPlannedPictures = 400;

/**
 * Reads the files of a plan, and saves its page: each file beside its place, what to decide first, and the gaps.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function planPageOfAnswer(plan: Plan, context: Context): Promise<SavedPage> {
  const now = new Date();
  const view = planView(plan);
  const roots = { configured: context.settings.uploadRoots, host: await context.roots() };
  const endsAt = performance.now() + context.deadline.left() - planReserveMs;
  const pictures = await embedPictures(picturesIn(view.sections).slice(0, mostPlannedPictures), {
    read: (file) => readPicture(path.join(plan.folder, file), roots, context.signal),
    hasTime: () => performance.now() < endsAt,
    progress: (done, of) => context.progress(done, of, 'pictures of the page'),
  });
  const made = timeWords(plan.madeAt) ?? plan.madeAt;
  const html = planPage(
    view,
    pictures,
    `Planned ${made}. Nothing of it has been sent. This file is kept for a week.`,
  );
  return savePage(context.settings.home, newPageName('plan', now), html, null, now);
}

/**
 * Saves the page of the Sets that an answer tells of.
 * @param total how many Sets there are in all
 * @throws ArtworkError `internal` where it can't be written
 */
export async function auditPageOfAnswer(
  audits: readonly Audit[],
  total: number,
  { settings }: Context,
): Promise<SavedPage> {
  const now = new Date();
  const foot = `Made ${timeWords(now.toISOString()) ?? ''} from what the catalogue showed then. This file is kept for a week.`;
  const html = auditPageView(auditView(audits, total), foot);
  return savePage(settings.home, newPageName('audit', now), html, null, now);
}
