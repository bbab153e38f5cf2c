import type { ChangesPage } from '../../curation/changes/change.ts';
import { changesPage } from '../../curation/pages/changes.ts';
import { leftOutNotes, readPicturesOfChanges } from '../../curation/pages/changes-pictures.ts';
import { changesView } from '../../curation/pages/changes-view.ts';
import { newPageName, type SavedPage, savePage } from '../../curation/pages/save.ts';
import { timeWords } from '../../curation/pages/words.ts';
import type { Context } from '../../mcp/context.ts';

/** Milliseconds of the call that are left for the answer. */
const reserveMs = 6_000;
/** Enough to look through; further changes are told in words. */
const mostPictures = 200;

interface WrittenChangesPage extends SavedPage {
  /** What the answer has to say of the page. */
  readonly warnings: readonly string[];
}

/**
 * The page of the changes that an answer tells of.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function writeChangesPage(changes: ChangesPage, context: Context): Promise<WrittenChangesPage> {
  const now = new Date();
  const view = changesView(changes);
  const endsAt = performance.now() + (context.call().deadlineMs ?? 0) - reserveMs;
  const embedding = {
    read: async (path: string) => (await context.catalogue.fetchImage(path, context.call())).bytes,
    hasTime: () => performance.now() < endsAt,
    progress: (done: number, of: number) => context.progress(done, of, 'pictures of the page'),
  };
  const read = await readPicturesOfChanges(view, embedding, mostPictures);
  const warnings = leftOutNotes(read);
  const html = changesPage(
    { ...view, notes: [...warnings, ...view.notes] },
    read.pictures,
    `Made ${timeWords(now.toISOString()) ?? ''} from what the service’s feeds told then. This file is kept for a week.`,
  );
  const saved = await savePage(context.settings.home, newPageName('changes', now), html, null, now);
  return { ...saved, warnings };
}
