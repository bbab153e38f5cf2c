import { fileOfSlot } from '../../model/slots.ts';
import { codeOf } from '../../model/target.ts';
import { folderOfSeason, folderOfSet, twoDigits, workName } from './file-names.ts';
import type { KeptLayout, Layout, ReaderLayout } from './layouts/layout.ts';
import { type Picture, workOf } from './picture.ts';

/** Where a picture goes below the folder of a download. */
export interface FilePlace {
  /** Folders in folders, the outermost first. */
  readonly folders: readonly string[];
  /** The file's name without its extension, which the picture's own bytes decide. */
  readonly stem: string;
}

/** A place, or why the layout has none, as words that end a sentence. */
type Placing = { readonly place: FilePlace } | { readonly without: string };

/** Where a layout keeps a picture, where nothing lies there yet. */
export function placeIn(layout: Layout, picture: Picture): Placing {
  return layout.reader === null ? { place: keptPlace(layout, picture) } : readerPlace(layout, picture);
}

function keptPlace(layout: KeptLayout, { target, slot, set }: Picture): FilePlace {
  const words = layout.nameOf(target);
  return { folders: [folderOfSet(set)], stem: words === null ? slot : `${words} ${slot}` };
}

/** What a program does not look for is told, never given a name that nothing reads. */
function readerPlace(layout: ReaderLayout, picture: Picture): Placing {
  const { target, slot } = picture;
  const none = (what: string): Placing => ({ without: `${layout.words} has no place for ${what}` });
  const file = fileOfSlot(layout.reader, slot, target.kind);
  const work = workOf(picture);
  if (work === null) return { without: `the service does not tell the show of this ${target.kind}` };
  const folder = layout.folders[work.kind]?.replace('*', () => workName(work));
  if (work.kind === 'game' || work.kind === 'loadout') return none('artwork of games');
  if (target.kind !== 'season' && target.kind !== 'episode') {
    if (folder === undefined || file === null) return none(`a ${slot} of a ${target.kind}`);
    return { place: { folders: [folder], stem: file } };
  }
  const { season } = target;
  if (season === null) return withoutNumber(target.kind);
  if (folder === undefined || file === null) {
    return none(`a ${slot} of ${target.kind === 'season' ? 'a season' : 'an episode'}`);
  }
  const within = (beside: 'show' | 'videos') =>
    beside === 'show' ? [folder] : [folder, folderOfSeason(season)];
  if (target.kind === 'season') {
    const { beside, name, specials } = layout.seasons;
    const stem = season === 0 ? specials : name.replace('*', twoDigits(season));
    return { place: { folders: within(beside), stem: file.replace('*', stem) } };
  }
  if (target.episode === null) return withoutNumber(target.kind);
  const stem = layout.cards === 'show' ? codeOf(target) : `${folder} - ${codeOf(target)}`;
  return { place: { folders: within(layout.cards), stem: file.replace('*', () => stem) } };
}

function withoutNumber(kind: string): Placing {
  return { without: `the service tells no number of the ${kind}` };
}
