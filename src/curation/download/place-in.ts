import { fileOfSlot } from '../../model/slots.ts';
import { codeOf, type EpisodeTarget, type WorkTarget } from '../../model/target.ts';
import { folderOfSeason, folderOfSet, twoDigits, workName } from './file-names.ts';
import type { KeptLayout, ReaderLayout } from './layouts/layout.ts';
import type { EpisodeVideo, Video, Way } from './media.ts';
import { type Picture, workOf } from './picture.ts';

/** Where a picture goes. */
export interface FilePlace {
  /** Folders below the root. */
  readonly folders: Way;
  /** The file's name without its extension, which the picture's own bytes decide. */
  readonly stem: string;
}

/** Its places, or why the layout has none, as words that end a sentence. */
export type Placing =
  | { readonly places: readonly FilePlace[]; readonly lacksVideo?: boolean }
  | { readonly without: string };

/** What lies where a work's files go. */
export interface Ground {
  readonly folder: Way;
  /** Whether nothing was there before. */
  readonly isNew: boolean;
  /** Null: the work has a folder of its own. Else the videos of a film that lies among others. */
  readonly loose: readonly string[] | null;
  /** All videos of a show. */
  readonly videos: readonly Video[];
  readonly byEpisode: ReadonlyMap<string, readonly EpisodeVideo[]>;
  /** The folders in it that are those of seasons, by number. */
  readonly seasonFolders: ReadonlyMap<number, string>;
  /** The episodes of which this download has a picture: `1 2` is S01E02. */
  readonly withCards: ReadonlySet<string>;
  /** The name that all files of the work begin with, where they lie without folders. */
  readonly flatName: string | null;
}

/** Files as they are kept: names that say all there is to say. */
export function keptPlace(layout: KeptLayout, folders: Way, { target, slot, set }: Picture): FilePlace {
  const words = layout.nameOf(target);
  return {
    folders: [...folders, folderOfSet(set)],
    stem: words === null ? slot : `${words} ${slot}`,
  };
}

/** Why a layout has no place for a picture, wherever its work lies; null: it has one. */
export function whyNoPlace(layout: ReaderLayout, picture: Picture): string | null {
  const { target, slot } = picture;
  const work = workOf(picture);
  if (work === null) return `the service does not tell the show of this ${target.kind}`;
  const isKnown = [...layout.works, ...layout.collections.kinds].includes(work.kind);
  if (work.kind === 'game' || work.kind === 'loadout')
    return `${layout.words} has no place for artwork of games`;
  if (!isKnown || fileOfSlot(layout.reader, slot, target.kind) === null) {
    return `${layout.words} has no place for a ${slot} of ${target.kind === 'episode' ? 'an' : 'a'} ${target.kind}`;
  }
  if (target.kind !== 'season' && target.kind !== 'episode') return null;
  const isNumbered = target.season !== null && (target.kind === 'season' || target.episode !== null);
  return isNumbered ? null : `the service tells no number of the ${target.kind}`;
}

/** Where a program looks for a picture, as its work lies there. `whyNoPlace` was asked before. */
export function readerPlace(
  layout: ReaderLayout,
  { target, slot }: Picture,
  work: WorkTarget,
  ground: Ground,
): Placing {
  const file = fileOfSlot(layout.reader, slot, target.kind) ?? slot;
  const { folder, flatName } = ground;
  const called = (name: string): Placing => {
    if (flatName === null || layout.flat === null) return { places: [{ folders: folder, stem: name }] };
    const isBare = name === fileOfSlot(layout.reader, layout.flat.bare, work.kind);
    return { places: [{ folders: folder, stem: isBare ? flatName : flatName + layout.flat.gap + name }] };
  };
  switch (target.kind) {
    case 'season': {
      const { name, specials } = layout.seasons;
      const number = target.season ?? 0;
      return called(file.replace('*', number === 0 ? specials : name.replace('*', twoDigits(number))));
    }
    case 'episode':
      return layout.cards === 'show'
        ? called(file.replace('*', codeOf(target)))
        : besideVideos(file, target, work, ground);
    default:
      return ground.loose === null ? called(file) : looseFilm(layout, file, ground, ground.loose);
  }
}

function looseFilm(
  layout: ReaderLayout,
  file: string,
  { folder }: Ground,
  videos: readonly string[],
): Placing {
  const pattern = layout.loose[file] ?? layout.loose['*'];
  if (pattern === undefined) {
    return { without: `${layout.words} finds a ${file} only of a film that has a folder of its own` };
  }
  const stems = videos.map((video) => filled(pattern, { video, file }));
  return { places: stems.map((stem) => ({ folders: folder, stem })) };
}

/** A title card lies beside its video and is called as this: every version of it has one. */
function besideVideos(file: string, target: EpisodeTarget, work: WorkTarget, ground: Ground): Placing {
  const season = target.season ?? 0;
  const videos = ground.byEpisode.get(`${season} ${target.episode}`) ?? [];
  const own = videos.filter((video) => shownOf(video, season, ground) === target.episode);
  if (own.length > 0) {
    return {
      places: own.map(({ folder, stem }) => ({ folders: folder, stem: file.replace('*', () => stem) })),
    };
  }
  const [joint] = videos;
  if (joint !== undefined) {
    return { without: `its video holds several episodes, and shows the card of the first` };
  }
  if (ground.videos.length > 0)
    return { without: 'no video of its episode lies there, whose name it has to have' };
  // No video tells how they are called: most are so.
  const stem = file.replace('*', () => `${workName(work)} - ${codeOf(target)}`);
  const inner = ground.seasonFolders.get(season) ?? folderOfSeason(season);
  return { places: [{ folders: [...ground.folder, inner], stem }], lacksVideo: true };
}

/** The episode whose card the video shows: the first that has one. */
function shownOf({ episodes }: EpisodeVideo, season: number, { withCards }: Ground): number | null {
  return (
    [...episodes].sort((one, other) => one - other).find((one) => withCards.has(`${season} ${one}`)) ?? null
  );
}

/** A pattern of a layout with what its words stand for. */
export function filled(pattern: string, words: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
}
