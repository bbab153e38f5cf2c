import { Document, isMap, type Scalar, YAMLMap } from 'yaml';
import type { ArtworkSet } from '../../model/set.ts';
import type { Slot } from '../../model/slots.ts';
import { keyOfTarget, type Target, type WorkTarget } from '../../model/target.ts';
import { workName } from './names.ts';
import { type Picture, workOf } from './place.ts';

/** The attributes of its metadata files. Other slots have none. */
const attributes: Readonly<Partial<Record<Slot, string>>> = {
  poster: 'file_poster',
  titlecard: 'file_poster',
  backdrop: 'file_background',
  logo: 'file_logo',
};

/** A file that lies in place. */
interface PlacedPicture {
  readonly picture: Picture;
  /** Absolute path on this machine. */
  readonly file: string;
}

/**
 * A metadata file for Kometa: shows and films by title and year, with the files that lie in place and the creators of
 * each. Collections are left out, since Kometa takes their images from the asset folders alone. Null where nothing is
 * left. Titles are other people's writing: the library quotes them.
 */
export function kometaMetadata(set: ArtworkSet, placed: readonly PlacedPicture[]): string | null {
  const works = new Map<string, WorkEntry>();
  for (const { picture, file } of placed) {
    const work = workOf(picture);
    if (work === null || (work.kind !== 'show' && work.kind !== 'movie')) continue;
    const name = workName(work);
    const entry = works.get(name) ?? { work, sets: new Map(), own: new Map(), seasons: new Map() };
    put(entry, picture, file);
    if (entry.sets.size > 0) works.set(name, entry);
  }
  if (works.size === 0) return null;
  const document = new Document({ metadata: {} });
  document.commentBefore = comment([
    `Artwork of ${words(set)}.`,
    'The paths are those of the machine that it was downloaded on: where Kometa runs in a container, mount the folder at the same place.',
    'The folders work as an asset_directory too, with asset_folders: true and assets_for_all: true, where they are called as the folders of the media.',
  ]);
  const metadata = document.get('metadata');
  if (!isMap(metadata)) throw new TypeError('The mapping that was just made is none.');
  metadata.flow = false;
  const isMixed = new Set([...works.values()].map(({ work }) => work.kind)).size > 1;
  for (const [name, entry] of works) {
    const key: Scalar = document.createNode(name);
    key.commentBefore = comment([...entry.sets.values()].map(words));
    metadata.add(document.createPair(key, mappingOf(document, entry, isMixed)));
  }
  return document.toString({ lineWidth: 0 });
}

interface WorkEntry {
  readonly work: WorkTarget;
  readonly sets: Map<string, ArtworkSet>;
  readonly own: Map<string, string>;
  readonly seasons: Map<number, { own: Map<string, string>; episodes: Map<number, Map<string, string>> }>;
}

function put(entry: WorkEntry, { target, slot, set }: Picture, file: string): void {
  const attribute = attributes[slot];
  const into = placeOf(entry, target);
  if (attribute === undefined || into === null) return;
  into.set(attribute, file);
  entry.sets.set(keyOfTarget(set), set);
}

function placeOf({ own, seasons }: WorkEntry, target: Target): Map<string, string> | null {
  if (target.kind !== 'season' && target.kind !== 'episode') return own;
  if (target.season === null || (target.kind === 'episode' && target.episode === null)) return null;
  const season = seasons.get(target.season) ?? { own: new Map(), episodes: new Map() };
  seasons.set(target.season, season);
  if (target.kind === 'season' || target.episode === null) return season.own;
  const episode = season.episodes.get(target.episode) ?? new Map<string, string>();
  season.episodes.set(target.episode, episode);
  return episode;
}

/** Without empty seasons and episodes, which Kometa takes for errors. */
function mappingOf(document: Document, { work, own, seasons }: WorkEntry, isMixed: boolean): YAMLMap {
  const match = {
    title: work.title === '' ? workName(work) : work.title,
    ...(work.year === null ? {} : { year: work.year }),
  };
  const value = new Map<string, unknown>([
    ...(isMixed ? ([['run_definition', work.kind]] as const) : []),
    ['match', match],
    ...own,
  ]);
  const numbered = [...seasons].sort(([one], [other]) => one - other);
  const filled = numbered.flatMap(([number, season]): [number, Map<string, unknown>][] => {
    const members = new Map<string, unknown>(season.own);
    const episodes = [...season.episodes].filter(([, one]) => one.size > 0);
    if (episodes.length > 0) members.set('episodes', new Map(episodes.sort(([one], [other]) => one - other)));
    return members.size === 0 ? [] : [[number, members]];
  });
  if (filled.length > 0) value.set('seasons', new Map(filled));
  const node = document.createNode(value);
  if (!(node instanceof YAMLMap)) throw new TypeError('The mapping that was just made is none.');
  return node;
}

/** Who made it, and where it is found. */
function words({ kind, id, title, createdBy }: ArtworkSet): string {
  const name = title === '' ? '' : `"${title}", `;
  return `${name}${kind} ${id}, by ${createdBy ?? 'a creator that the service does not name'}`;
}

/** One line each: a line break of other people's writing must not end a comment. */
function comment(lines: readonly string[]): string {
  return lines.map((line) => ` ${line.replace(/\s+/g, ' ')}`).join('\n');
}
