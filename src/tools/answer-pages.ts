import path from 'node:path';
import type { Plan } from '../curation/plan/plan.ts';
import { embedPictures } from '../curation/show/embed.ts';
import { readPicture } from '../curation/show/local-picture.ts';
import { picturesIn } from '../curation/show/page.ts';
import { planPage } from '../curation/show/plan-page.ts';
import { type PageOwner, pageOwner, type SavedPage, writePage } from '../curation/show/save.ts';
import { ArtworkError } from '../errors.ts';
import type { Context } from '../mcp/context.ts';
import { timeWords } from '../model/words.ts';

/** Milliseconds of the call that are left for the answer. */
const reserveMs = 6_000;

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

const mostPlannedPictures = 400;

/**
 * Reads the files of a plan, and saves its page: each file beside its place, what to decide first, and the gaps.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function planPageOfAnswer(plan: Plan, shelf: Shelf, context: Context): Promise<SavedPage> {
  const page = planPage(plan);
  const roots = { configured: context.settings.uploadRoots, host: await context.roots() };
  const endsAt = performance.now() + context.deadline.left() - reserveMs;
  const pictures = await embedPictures(picturesIn(page.blocks).slice(0, mostPlannedPictures), {
    read: (file) => readPicture(path.join(plan.folder, file), roots, context.signal),
    hasTime: () => performance.now() < endsAt,
    progress: (done, of) => context.progress(done, of, 'pictures of the page'),
  });
  const foot = `Planned ${timeWords(plan.madeAt) ?? plan.madeAt}. Nothing of it has been sent.`;
  const place = { home: shelf.home, owner: await shelf.owner() };
  return writePage(page, pictures, foot, place, new Date());
}
