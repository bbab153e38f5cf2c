import path from 'node:path';
import { ArtworkError } from '../../errors.ts';
import { isFileUri } from '../../files/roots.ts';
import type { Context } from '../../mcp/context.ts';
import { defineTool } from '../../mcp/tool.ts';
import { stemOf } from '../../model/names/file-name.ts';
import { codesIn } from '../../model/names/numbers.ts';
import { plain } from '../../model/names/words.ts';
import { slotWords } from '../../model/slots.ts';
import { episodeTargetOf } from '../../model/work.ts';
import type { Warning } from '../../mutations/change.ts';
import { uploadAsset } from '../../mutations/operations/upload-asset.ts';
import { carryOutChange, replacing, toolOf } from './guarded-call.ts';

export const uploadAssetTool = defineTool({
  ...toolOf(
    uploadAsset,
    {
      file: 'absolute path or file: URI',
      slot: 'e.g. poster',
      targetKind: 'e.g. movie; needed without setId, groupId',
      previousAssetId: 'replace: the Asset that goes',
      setId: 'into this Set of yours',
      groupId: 'poster of this group of yours',
    },
    'of what is replaced, the Set or group; else `none`',
  ),
  title: 'Upload a picture: send an image file, swap a poster',
  description: `Upload an image file: add a ${slotWords('poster')}, ${slotWords('titlecard')}, ${slotWords('logo')} or other artwork to a movie or show, or replace one of your own. It can't be deleted: view_artwork shows the file, dryRun checks it first.`,
  searchHint: 'send submit put single card backdrop cover photo from disk exchange new better version',
  annotations: replacing,
  async run(args, context) {
    const { file, targetKind, targetId } = args;
    const isOfEpisode = targetKind === 'episode' && typeof targetId === 'number';
    const warnings = isOfEpisode ? await nameWarnings(file, targetId, context) : [];
    return carryOutChange(uploadAsset.name, args, context, warnings);
  },
});

/** Points out a file whose name clearly says another episode than the one that it is sent to: nothing can be deleted. */
async function nameWarnings(file: string, id: number, { catalogue, deadline }: Context): Promise<Warning[]> {
  const readable = isFileUri(file) ? file.replace(/%[0-9a-f]{2}/gi, ' ') : file;
  const name = plain(stemOf(path.basename(readable)));
  const [said, ...others] = codesIn(name);
  if (said === undefined || others.length > 0 || said.doubtful) return [];
  const code = name.slice(said.start, said.end).toUpperCase();
  // 16x9 and 1920x1080 may be anything.
  if (/^\d/.test(code)) return [];
  try {
    const meant = episodeTargetOf(await catalogue.readEntity('episode', id, deadline));
    const isKnown = meant !== null && meant.season !== null && meant.episode !== null;
    const isSame = isKnown && said.season === meant.season && said.episodes.includes(meant.episode);
    if (!isKnown || isSame) return [];
    const target = catalogue.nameOf('episode', id) ?? `episode ${id}`;
    return [{ code: 'name_says_other', message: `The file name says ${code}, but the target is ${target}.` }];
  } catch (error) {
    // The upload itself reads the target too, and says what is wrong with it.
    if (error instanceof ArtworkError) return [];
    throw error;
  }
}
