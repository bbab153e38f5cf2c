import { Document, isMap, type Scalar, YAMLMap } from 'yaml';
import type { ArtworkSet } from '../../model/set.ts';
import { kometaAttributeOf, type Slot } from '../../model/slots.ts';
import { keyOfTarget, type Target, type WorkTarget } from '../../model/target.ts';
import { workName } from './file-names.ts';
import { type Picture, workOf } from './picture.ts';

/** A file that lies in place. */
export interface PlacedPicture {
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
    const entry = works.get(name) ?? newEntry(work);
    put(entry, picture, file);
    if (hasAny(entry)) works.set(name, entry);
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

function newEntry(work: WorkTarget): WorkEntry {
  return { work, sets: new Map(), own: new Map(), seasons: new Map() };
}

function put(entry: WorkEntry, { target, slot, set }: Picture, file: string): void {
  const place = placeOf(entry, target, slot);
  if (place === null) return;
  place.into.set(place.attribute, file);
  entry.sets.set(keyOfTarget(set), set);
}

function placeOf(entry: WorkEntry, target: Target, slot: Slot) {
  const attribute = kometaAttributeOf(slot);
  if (attribute === null) return null;
  switch (target.kind) {
    case 'season':
    case 'episode': {
      const number = target.season;
      if (number === null) return null;
      const season = entry.seasons.get(number) ?? { own: new Map(), episodes: new Map() };
      if (target.kind === 'season') {
        entry.seasons.set(number, season);
        return { into: season.own, attribute };
      }
      if (target.episode === null) return null;
      entry.seasons.set(number, season);
      const episode = season.episodes.get(target.episode) ?? new Map<string, string>();
      season.episodes.set(target.episode, episode);
      return { into: episode, attribute };
    }
    default:
      return { into: entry.own, attribute };
  }
}

function hasAny({ own, seasons }: WorkEntry): boolean {
  return own.size > 0 || seasons.size > 0;
}

/** Without empty seasons, which Kometa takes for errors. */
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
  if (seasons.size > 0) {
    const numbered = [...seasons].sort(([one], [other]) => one - other);
    value.set(
      'seasons',
      new Map(
        numbered.map(([number, season]) => {
          const members = new Map<string, unknown>(season.own);
          if (season.episodes.size > 0) {
            members.set('episodes', new Map([...season.episodes].sort(([one], [other]) => one - other)));
          }
          return [number, members];
        }),
      ),
    );
  }
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
