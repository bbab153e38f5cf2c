import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn } from '../../model/asset.ts';
import { type ArtworkSet, picturesOf, type SetMember, setOf } from '../../model/set.ts';
import { keyOfTarget } from '../../model/target.ts';
import type { Settings } from '../../settings.ts';
import { type BringPorts, bringFiles, type FileOutcome } from './bring.ts';
import { layouts } from './layouts.ts';
import { openLibrary } from './library.ts';
import type { KeptDownload, Manifest } from './manifest.ts';
import { type Places, placePictures } from './place.ts';
import { openDownloadRoot } from './root.ts';

export interface DownloadPorts extends BringPorts {
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage' | 'readFeedPage'>;
}

interface Opening extends Pick<DownloadPorts, 'catalogue'> {
  readonly settings: Pick<Settings, 'baseUrl' | 'assetUrl' | 'downloadRoot' | 'home'>;
}

/**
 * What downloads and updates work with.
 * @throws ArtworkError as `openDownloadRoot`
 */
export async function openDownloads(
  { settings: { baseUrl, assetUrl, downloadRoot, home }, catalogue }: Opening,
  deadline: Deadline,
): Promise<DownloadPorts> {
  return {
    root: await openDownloadRoot(downloadRoot, home),
    service: [baseUrl ?? 'embedded', ...(assetUrl === null ? [] : [assetUrl])].join(' '),
    ...{ catalogue, deadline },
  };
}

interface Wish extends Pick<KeptDownload, 'layout' | 'folders' | 'slots' | 'assetFolders' | 'languageCode'> {
  readonly set: ArtworkSet;
  readonly takeOver: boolean;
  readonly dryRun: boolean;
  /** Whether a work that has no folder gets one. */
  readonly mayMake: boolean;
  /** Of a download that is updated; null for one that is asked for now. */
  readonly turn: number | null;
}

/** A Set that gives no pictures, and why, as words that end a sentence. */
interface SetLeftOut extends Pick<SetMember, 'kind' | 'id' | 'title'> {
  readonly state: 'other_language' | 'failed' | 'no_public_read' | 'pending';
  readonly why: string;
}

export interface Ran {
  readonly setsLeftOut: readonly SetLeftOut[];
  readonly places: Places;
  readonly outcomes: readonly FileOutcome[];
}

/**
 * Gathers the pictures of a Set or group, finds their places, and brings them there, as far as one call reaches. The
 * same call again goes on with the rest.
 * @throws ArtworkError `cancelled`, and what ends the whole run
 */
export async function download(wish: Wish, ports: DownloadPorts, manifest: Manifest): Promise<Ran> {
  const { root, service } = ports;
  const { set, layout, folders, assetFolders, slots, languageCode, dryRun, mayMake } = wish;
  const readAt = Date.now();
  const { sets, setsLeftOut } = await setsOf(wish, ports);
  const pictures = sets
    .flatMap((one) => picturesOf(one).map((place) => ({ ...place, set: one })))
    .filter(({ slot }) => slots === null || slots.includes(slot));
  const library = openLibrary(root);
  const placing = { layout: layouts[layout], folders, assetFolders, mayMake, library };
  const places = await placePictures(pictures, placing);

  const key = JSON.stringify([service, set.kind, set.id, layout, folders, assetFolders, slots, languageCode]);
  const turn = wish.turn ?? 1 + Math.max(0, ...[...manifest.downloads.values()].map((one) => one.turn));
  const kept: KeptDownload = {
    ...{ kind: set.kind, id: set.id, title: set.title, service, isLeft: true, turn, readAt },
    ...{ layout, folders, assetFolders, languageCode, slots },
    waiting: places.works.flatMap(({ folder, waiting: episodes }) =>
      episodes.length === 0 ? [] : [{ folder: [...folder], episodes }],
    ),
    subjects: [
      ...[set, ...set.members].flatMap(({ kind, id }) => (kind === null ? [] : keyOfTarget({ kind, id }))),
      ...sets.flatMap(picturesOf).flatMap(({ path: ref }) => assetIdIn(ref) ?? []),
    ],
  };
  // Noted before the first file is written: a process that is killed leaves it to the next update.
  const isNoted = !dryRun && places.files.length + kept.waiting.length > 0;
  if (isNoted) await manifest.note('downloads', key, kept);
  const { types } = layouts[layout];
  const outcomes = await bringFiles(places.files, { ...ports, ...wish, manifest, types, by: { key, turn } });
  const ran = { setsLeftOut, places, outcomes };
  if (isNoted) await manifest.note('downloads', key, { ...kept, isLeft: isLeft(ran) });
  return ran;
}

/** Whether one of these became of a picture, or of a Set of a group. */
export function hasState(ran: Ran, ...states: readonly string[]): boolean {
  const all = [...ran.setsLeftOut, ...ran.outcomes.map(({ outcome }) => outcome), ...ran.places.leftOut];
  return all.some(({ state }) => states.includes(state));
}

/** Whether another call may bring more. */
export function isLeft(ran: Ran): boolean {
  return hasState(ran, 'pending', 'failed', 'unclear');
}

/** Reads at a time: the service states no limits. */
const few = 4;
/** With less of a call's time left no further Set is begun, ms. */
export const leastTime = 15_000;

/**
 * A Set by itself, or a group, which has a poster of its own, with its Sets. One of these that can't be read leaves the
 * others as they are.
 */
async function setsOf({ set, languageCode }: Wish, { catalogue, deadline }: DownloadPorts) {
  const without = ({ kind, id, title }: SetMember, state: SetLeftOut['state'], why: string): SetLeftOut => {
    return { kind, id, title, state, why };
  };
  const inLanguage = (one: ArtworkSet): ArtworkSet | SetLeftOut => {
    const language = one.language?.toLowerCase() ?? null;
    const wanted = languageCode?.toLowerCase() ?? language;
    // `en` is every English; `en-GB` is that alone.
    if (language === null || language === wanted || language.startsWith(`${wanted}-`)) return one;
    return without(one, 'other_language', `it is in ${one.language}`);
  };
  const members = await mapLimit(set.members, few, async (member) => {
    const { kind, id } = member;
    if (kind === null)
      return without(member, 'no_public_read', 'the service has no public read for Sets of its kind');
    if (deadline.left() < leastTime) return without(member, 'pending', 'there was no time left to read it');
    try {
      return inLanguage(setOf(kind, id, await catalogue.readSet(kind, id, deadline)));
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
      return without(member, 'failed', error.message);
    }
  });
  const all = [inLanguage(set), ...members];
  return {
    sets: all.flatMap((one) => ('places' in one ? [one] : [])),
    setsLeftOut: all.flatMap((one) => ('places' in one ? [] : [one])),
  };
}
