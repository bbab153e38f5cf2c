import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn } from '../../model/asset.ts';
import { isWorkKind } from '../../model/kinds.ts';
import { type ArtworkSet, picturesOf, type SetMember, setOf } from '../../model/set.ts';
import { codeOf, keyOfTarget, type WorkTarget } from '../../model/target.ts';
import type { Settings } from '../../settings.ts';
import type { OwnRecords } from '../own.ts';
import { createPlanStore } from '../plan/store.ts';
import { type BringPorts, type Brought, bringFiles } from './bring.ts';
import { layouts } from './layouts.ts';
import { openLibrary } from './library.ts';
import { type KeptDownload, type Manifest, readManifest, withManifest } from './manifest.ts';
import { type Places, placePictures, workOf } from './place.ts';
import { openDownloadRoot } from './root.ts';

export interface DownloadPorts extends BringPorts {
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage' | 'readFeedPage'>;
  /** Names of works that a person has confirmed for plans: their folders may be called so. */
  alsoCalled(work: WorkTarget): Promise<readonly string[]>;
}

interface Opening extends Pick<DownloadPorts, 'catalogue'> {
  readonly settings: Pick<Settings, 'baseUrl' | 'assetUrl' | 'downloadRoot' | 'home'>;
  account(): Promise<{ records(namespace: string): Promise<OwnRecords> }>;
}

/**
 * What downloads and updates work with.
 * @throws ArtworkError as `openDownloadRoot`
 */
export async function openDownloads(
  { settings: { baseUrl, assetUrl, downloadRoot, home }, catalogue, account }: Opening,
  deadline: Deadline,
  progress: DownloadPorts['progress'],
): Promise<DownloadPorts> {
  return {
    root: await openDownloadRoot(downloadRoot, home),
    service: [baseUrl ?? 'embedded', ...(assetUrl === null ? [] : [assetUrl])].join(' '),
    ...{ catalogue, deadline, progress },
    async alsoCalled({ kind, id }) {
      if (!isWorkKind(kind)) return [];
      const { records } = await account();
      return createPlanStore(await records('plans')).namesOf({ kind, id });
    },
  };
}

interface Wish extends Pick<KeptDownload, 'layout' | 'folders' | 'slots' | 'assetFolders' | 'languageCode'> {
  readonly set: ArtworkSet;
  readonly takeOver: boolean;
  readonly dryRun: boolean;
  /** Of an update: works whose folders were there before. */
  readonly worksBefore?: readonly string[];
}

/** A Set of a group that gives no pictures, and why, as words that end a sentence. */
interface SetLeftOut extends Pick<SetMember, 'kind' | 'id' | 'title'> {
  readonly state: 'other_language' | 'failed' | 'no_public_read' | 'pending';
  readonly why: string;
}

export interface Ran extends Brought {
  /** How many pictures the Set, or a group's Sets, have in the slots that were asked for. */
  readonly pictures: number;
  readonly setsLeftOut: readonly SetLeftOut[];
  readonly places: Places;
}

/**
 * Gathers the pictures of a Set or group, finds their places, and brings them there, as far as one call reaches. The
 * same call again goes on with the rest.
 * @throws ArtworkError of the root, the manifest; `cancelled`
 */
export async function runDownload(wish: Wish, ports: DownloadPorts): Promise<Ran> {
  // A dry run notes the files that may be taken over.
  return wish.dryRun && !wish.takeOver
    ? download(wish, ports, await readManifest(ports.root))
    : withManifest(ports, (manifest) => download(wish, ports, manifest));
}

/** The same for a caller that has the manifest. */
export async function download(wish: Wish, ports: DownloadPorts, manifest: Manifest): Promise<Ran> {
  const { root, service } = ports;
  const { set, layout, folders, assetFolders, slots, languageCode, dryRun, worksBefore = [] } = wish;
  const readAt = Date.now();
  const { sets, setsLeftOut } = await setsOf(wish, ports);
  const pictures = sets
    .flatMap((one) => picturesOf(one).map((place) => ({ ...place, set: one })))
    .filter(({ slot }) => slots === null || slots.includes(slot));
  const library = openLibrary(root, ports.alsoCalled);
  const placing = { layout: layouts[layout], folders, assetFolders, worksBefore, library };
  const places = await placePictures(pictures, placing);

  const key = JSON.stringify([service, set.kind, set.id, layout, folders, assetFolders, slots, languageCode]);
  const kept: KeptDownload = {
    ...{ kind: set.kind, id: set.id, title: set.title, updated: set.updated, readAt, service, state: 'left' },
    ...{ layout, folders, assetFolders, languageCode, slots, waiting: waitingOf(places) },
    members: set.members.flatMap(({ kind, id, updated }) => (kind === null ? [] : [{ kind, id, updated }])),
    assets: sets.flatMap(picturesOf).flatMap(({ path: ref }) => assetIdIn(ref) ?? []),
    works: manifest.downloads.get(key)?.works ?? [],
  };
  // Noted before the first file is written: a process that is killed leaves it to the next update.
  const isNoted = !dryRun && places.files.length + kept.waiting.length > 0;
  if (isNoted) await manifest.note('downloads', key, kept);
  const { types } = layouts[layout];
  const brought = await bringFiles(places.files, {
    ...ports,
    manifest,
    types,
    dryRun,
    takeOver: wish.takeOver,
  });
  const ran = { pictures: pictures.length, setsLeftOut, places, ...brought };
  if (isNoted) {
    const works = [...kept.works, ...worksIn(ran)];
    const state = isLeft(ran) ? 'left' : 'whole';
    await manifest.note('downloads', key, { ...kept, state, works: [...new Set(works)] });
  }
  return ran;
}

/** Whether the time of a call, or its disk, was too short. */
export function isPending({ setsLeftOut, outcomes }: Ran): boolean {
  return [...setsLeftOut, ...outcomes.map(({ outcome }) => outcome)].some(({ state }) => state === 'pending');
}

/** Whether another call may bring more. */
export function isLeft(ran: Ran): boolean {
  const { setsLeftOut, places, outcomes } = ran;
  const hasFailed = [...setsLeftOut, ...outcomes.map(({ outcome }) => outcome)].some(
    ({ state }) => state === 'failed',
  );
  return hasFailed || isPending(ran) || places.leftOut.some(({ state }) => state === 'unclear');
}

/** The works of which a picture lies in its place. */
function worksIn({ outcomes }: Brought): string[] {
  const placed = outcomes.filter(({ outcome }) => ['written', 'replaced', 'present'].includes(outcome.state));
  return placed.flatMap(({ file }) => workOf(file.picture) ?? []).map(keyOfTarget);
}

/** The episodes whose video had not come, by the folders of their shows. */
function waitingOf({ files, leftOut, works }: Places): KeptDownload['waiting'] {
  const named = files.filter(({ lacksVideo }) => lacksVideo === true);
  const without = [...named, ...leftOut.filter(({ state }) => state === 'no_video')];
  return works.flatMap(({ work, folder }) => {
    const own = without.filter(({ picture: { set } }) => set.work?.id === work.id);
    const episodes = own.map(({ picture: { target } }) => codeOf(target));
    return episodes.length === 0 ? [] : [{ folder: [...folder], episodes }];
  });
}

/** Reads at a time: the service states no limits. */
const few = 4;
/** With less of a call's time left no further Set is begun, ms. */
const leastTime = 15_000;

/**
 * A Set by itself, or a group, which has a poster of its own, with its Sets. One of these that can't be read leaves the
 * others as they are.
 */
async function setsOf({ set, languageCode }: Wish, { catalogue, deadline }: DownloadPorts) {
  const read = async ({ kind, id, title }: SetMember): Promise<ArtworkSet | SetLeftOut> => {
    const without = (state: SetLeftOut['state'], why: string) => ({ kind, id, title, state, why });
    if (kind === null)
      return without('no_public_read', 'the service has no public read for Sets of its kind');
    if (deadline.left() < leastTime) return without('pending', 'there was no time left to read it');
    try {
      const found = setOf(kind, id, await catalogue.readSet(kind, id, deadline));
      const language = found.language?.toLowerCase() ?? '';
      const wanted = languageCode?.toLowerCase() ?? language;
      // `en` is every English; `en-GB` is that alone.
      if (language === wanted || language.startsWith(`${wanted}-`)) return found;
      return without('other_language', `it is in ${found.language ?? 'an unknown language'}`);
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
      return without('failed', error.message);
    }
  };
  const members = await mapLimit(set.members, few, read);
  return {
    sets: [set, ...members.flatMap((one) => ('places' in one ? [one] : []))],
    setsLeftOut: members.flatMap((one) => ('places' in one ? [] : [one])),
  };
}
