import type { Audit } from '../../curation/audits/audit.ts';
import type { Context } from '../../mcp/context.ts';

/**
 * The page of the Sets that an answer tells of.
 * @param asked whether there is to be one
 * @param total how many Sets there are in all
 * @throws ArtworkError `internal` where it can't be written
 */
export async function auditPageOf(
  asked: boolean | undefined,
  audits: readonly Audit[],
  total: number,
  { settings }: Context,
): Promise<{ readonly page?: string }> {
  if (asked !== true) return {};
  const [{ auditPageView, auditView }, { newPageName, savePage }, { timeWords }] = await Promise.all([
    import('../../curation/pages/audit.ts'),
    import('../../curation/pages/save.ts'),
    import('../../curation/words.ts'),
  ]);
  const now = new Date();
  const foot = `Made ${timeWords(now.toISOString()) ?? ''} from what the catalogue showed then. This file is kept for a week.`;
  const html = auditPageView(auditView(audits, total), foot);
  const { uri } = await savePage(settings.home, newPageName('audit', now), html, null, now);
  return { page: uri };
}
