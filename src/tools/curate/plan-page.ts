import path from 'node:path';
import { readPicture } from '../../curation/folder/read-picture.ts';
import { embedPictures } from '../../curation/pages/embed.ts';
import { planView } from '../../curation/pages/plan-view.ts';
import { planPage } from '../../curation/pages/plan.ts';
import { newPageName, type SavedPage, savePage } from '../../curation/pages/save.ts';
import { picturesIn } from '../../curation/pages/view.ts';
import { timeWords } from '../../curation/pages/words.ts';
import type { Plan } from '../../curation/plan/plan.ts';
import type { Context } from '../../mcp/context.ts';

/** Milliseconds of the call that are left for the answer. */
const reserveMs = 6_000;
const mostPictures = 400;

/**
 * The page of a plan: each file beside its place, what to decide first, and the gaps.
 * @throws ArtworkError `internal` where it can't be written, `cancelled`
 */
export async function writePlanPage(plan: Plan, context: Context): Promise<SavedPage> {
  const now = new Date();
  const view = planView(plan);
  const roots = { configured: context.settings.uploadRoots, host: await context.roots() };
  const endsAt = performance.now() + (context.call().deadlineMs ?? 0) - reserveMs;
  const pictures = await embedPictures(picturesIn(view.sections).slice(0, mostPictures), {
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
