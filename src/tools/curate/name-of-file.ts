import path from 'node:path';
import { ArtworkError } from '../../errors.ts';
import { isFileUri } from '../../files/roots.ts';
import type { Context } from '../../mcp/context.ts';
import { stemOf } from '../../model/names/file-name.ts';
import { codesIn, type Numbers } from '../../model/names/numbers.ts';
import { plain } from '../../model/names/words.ts';
import { episodeTargetOf } from '../../model/work.ts';
import type { Warning } from '../../mutations/change.ts';

interface Upload {
  readonly file: string;
  readonly targetKind?: string | undefined;
  readonly targetId?: unknown;
}

/** What is to be pointed out where the file's name clearly says another episode than the one that it is sent to. */
export async function warnOfFileName(
  { file, targetKind, targetId }: Upload,
  context: Context,
): Promise<readonly Warning[]> {
  const said = targetKind === 'episode' ? codeIn(file) : null;
  if (said === null || typeof targetId !== 'number') return [];
  const { season, episodes, code } = said;
  try {
    const meant = await context.catalogue.readEntity('episode', targetId, context.deadline);
    const episode = episodeTargetOf(meant);
    if (episode === null || episode.season === null || episode.episode === null) return [];
    if (season === episode.season && episodes.includes(episode.episode)) return [];
    const target = context.catalogue.nameOf('episode', targetId) ?? `episode ${targetId}`;
    const message = `The file's name says ${code}, and it is sent to ${target}.`;
    return [{ code: 'name_says_other', message }];
  } catch (error) {
    // The upload itself reads the target too, and says what is wrong with it.
    if (error instanceof ArtworkError) return [];
    throw error;
  }
}

/** S03E02, in whatever spelling; null where there is none, or several. 16x9 and 1920x1080 may be anything. */
function codeIn(file: string): (Pick<Numbers, 'season' | 'episodes'> & { readonly code: string }) | null {
  const readable = isFileUri(file) ? file.replace(/%[0-9a-f]{2}/gi, ' ') : file;
  const text = plain(stemOf(path.basename(readable)));
  const [found, ...others] = codesIn(text);
  if (found === undefined || others.length > 0 || found.doubtful) return null;
  const code = text.slice(found.start, found.end);
  return /^\d/.test(code) ? null : { ...found, code: code.toUpperCase() };
}
