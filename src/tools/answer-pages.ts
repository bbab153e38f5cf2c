import path from 'node:path';
import type { Audit } from '../curation/audit/audit.ts';
import type { ChangesPage } from '../curation/changes/change.ts';
import { picturesOfChanges } from '../curation/changes/replaced.ts';
import type { Plan } from '../curation/plan/plan.ts';
import { auditPage } from '../curation/show/audit-page.ts';
import { changesPage, leftOutNotes, readPicturesOfChanges } from '../curation/show/changes-page.ts';
import { embedPictures } from '../curation/show/embed.ts';
import { readPicture } from '../curation/show/local-picture.ts';
import { picturesIn } from '../curation/show/page.ts';
import { planPage } from '../curation/show/plan-page.ts';
import { madeWords, type PageOwner, pageOwner, type SavedPage, writePage } from '../curation/show/save.ts';
import { ArtworkError } from '../errors.ts';
import type { Context } from '../mcp/context.ts';
import { timeWords } from '../model/words.ts';

/** Milliseconds of the call that are left for the answer. */
const reserveMs = 6_000;

/** What a call has time and room for while it reads the pictures of its page. */
function reading(context: Context) {
  const endsAt = performance.now() + context.deadline.left() - reserveMs;
  return {
    hasTime: () => performance.now() < endsAt,
    progress: (done: number, of: number) => context.progress(done, of, 'pictures of the page'),
  };
}

/** The folder of the caller's pages, and their owner. */
export interface Shelf {
  readonly home: string;
  /**
   * Asked once everything for the page has been read.
   * @throws ArtworkError `not_connected` if another account is connected by then: the page may show what is not its own
   */
  owner(): Promise<PageOwner>;
}

/** The shelf of a call, taken before anything is read for its page. */
export async function shelfOf({ settings, account }: Context): Promise<Shelf> {
  const { home, user } = settings;
  const now = async () => pageOwner(user, await (await account()).account());
  const owner = await now();
  return {
    home,
    async owner() {
      if ((await now()) === owner) return owner;
      const message = 'A person signed in or out meanwhile, so no page was made of what was read.';
      const why = 'The same call, made again, reads for the account that is connected now.';
      throw new ArtworkError('not_connected', message, { next: { why } });
    },
  };
}

async function placeOn({ home, owner }: Shelf) {
  return { home, owner: await owner() };
}

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
  shelf: Shelf,
  context: Context,
): Promise<WrittenChangesPage> {
  const now = new Date();
  const page = changesPage(changes, now);
  const embedding = {
    read: picturesOfChanges(changes.lines, {
      picture: async (path) => (await context.catalogue.fetchImage(path, context.deadline)).bytes,
      account: context.account,
      deadline: context.deadline,
    }),
    ...reading(context),
  };
  const read = await readPicturesOfChanges(page, embedding, mostChangedPictures);
  const warnings = leftOutNotes(read);
  const noted = { ...page, notes: [...warnings, ...page.notes] };
  const foot = `Made ${madeWords(now)} from what the service’s feeds told then.`;
  return { ...(await writePage(noted, read.pictures, foot, await placeOn(shelf), now)), warnings };
}

const mostPlannedPictures = 400;

/**
 * Reads the files of a plan, and saves its page: each file beside its place, what to decide first, and the gaps.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function planPageOfAnswer(plan: Plan, shelf: Shelf, context: Context): Promise<SavedPage> {
  const page = planPage(plan);
  const roots = { configured: context.settings.uploadRoots, host: await context.roots() };
  const pictures = await embedPictures(picturesIn(page.blocks).slice(0, mostPlannedPictures), {
    read: (file) => readPicture(path.join(plan.folder, file), roots, context.signal),
    ...reading(context),
  });
  const foot = `Planned ${timeWords(plan.madeAt) ?? plan.madeAt}. Nothing of it has been sent.`;
  return writePage(page, pictures, foot, await placeOn(shelf), new Date());
}

/**
 * Saves the page of the Sets that an answer tells of.
 * @param total how many Sets there are in all
 * @throws ArtworkError `internal` where it can't be written
 */
export async function auditPageOfAnswer(
  audits: readonly Audit[],
  total: number,
  shelf: Shelf,
): Promise<SavedPage> {
  const now = new Date();
  const foot = `Made ${madeWords(now)} from what the catalogue showed then.`;
  return writePage(auditPage(audits, total), new Map(), foot, await placeOn(shelf), now);
}
