import type { ChangesPage } from '../../curation/changes/change.ts';
import { changesPage } from '../../curation/pages/changes.ts';
import { changesView, picturesOfChanges } from '../../curation/pages/changes-view.ts';
import { embedPictures } from '../../curation/pages/embed.ts';
import { newPageName, type SavedPage, savePage } from '../../curation/pages/save.ts';
import { timeWords } from '../../curation/pages/words.ts';
import type { Context } from '../../mcp/context.ts';

/** Milliseconds of the call that are left for the answer. */
const reserveMs = 6_000;
/** Enough to look through; further changes are told in words. */
const mostPictures = 200;

/**
 * The page of the changes that an answer tells of.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function writeChangesPage(changes: ChangesPage, context: Context): Promise<SavedPage> {
  const now = new Date();
  const view = changesView(changes);
  const endsAt = performance.now() + (context.call().deadlineMs ?? 0) - reserveMs;
  const pictures = await embedPictures([...new Set(picturesOfChanges(view))].slice(0, mostPictures), {
    read: async (path) => (await context.catalogue.fetchImage(path, context.call())).bytes,
    hasTime: () => performance.now() < endsAt,
    progress: (done, of) => context.progress(done, of, 'pictures of the page'),
  });
  const html = changesPage(
    view,
    pictures,
    `Made ${timeWords(now.toISOString()) ?? ''} from what the service’s feeds told then. This file is kept for a week.`,
  );
  return savePage(context.settings.home, newPageName('changes', now), html, null, now);
}
