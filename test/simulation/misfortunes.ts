import { ArtworkError } from '../../src/errors.ts';
import { assets } from './owned-set.ts';
import { type Planted, startProcess, type World } from './process.ts';
import type { Wish } from './wishes.ts';

/** When the last of them happens at the latest, ms. */
const latest = 150_000;

/** What befalls the machine, the account, its folder and its things: each happens or not, at some moment of the storm. */
export function planMisfortunes(world: World, wishes: readonly Wish[], plant: () => Planted): void {
  const { scheduler, random, weather, accounts, folder, service } = world;
  const { owned, submissions } = service;
  // Of other bytes a second change would not be the same.
  const isTwinned = wishes.some(({ twin }) => twin !== null);
  const all: readonly (readonly [chance: number, what: string, happen: () => void])[] = [
    [0.6, 'the access token ends', () => accounts.end()],
    [0.06, 'the owner signs in again', () => accounts.signIn('owner', true)],
    [0.06, 'the owner signs in again, unnamed', () => accounts.signIn('owner', false)],
    [0.06, 'a stranger signs in', () => accounts.signIn('stranger', true)],
    [0.04, 'a stranger signs in, unnamed', () => accounts.signIn('stranger', false)],
    [0.12, 'the disk is full for a while', () => fillDisk(world)],
    [isTwinned ? 0 : 0.2, 'the pictures in the folder change', () => folder.change()],
    [0.1, 'the pictures in the folder are deleted', () => folder.remove()],
    [0.06, 'somebody cleans up', () => folder.loseCopies()],
    [0.08, 'somebody else changes the Set', () => owned.changeSet()],
    [0.15, 'somebody else changes the group', () => owned.changeGroup()],
    ...[assets.replaced, assets.edited, assets.superseded].map(
      ({ id }) => [0.12, 'somebody else changes an Asset', () => owned.changeAsset(id)] as const,
    ),
    [0.25, 'a host ends its server', () => void endServer(world)],
    [0.06, 'a person gives up', () => giveUp(world, wishes, plant)],
  ];
  for (const [chance, what, happen] of all) {
    if (!random.chance(chance)) continue;
    scheduler.after(random.below(latest), null, () => {
      // In the end all is well.
      if (weather.isCalm) return;
      scheduler.note(what);
      happen();
    });
  }
  for (const { id, tool, isSubmission } of wishes) {
    if (tool === 'upload_asset' && random.chance(0.1)) service.takeId(id);
    if (isSubmission && random.chance(0.08)) submissions.takeId(id, random.pick(['another', 'completed']));
  }
}

function fillDisk({ disk, scheduler, random }: World): void {
  disk.full = true;
  scheduler.after(random.below(30_000), null, () => {
    disk.full = false;
  });
}

/** What is under way is told to stop, and what it still has to note is waited for. */
async function endServer({ servers, random, scheduler }: World): Promise<void> {
  const living = [...servers].filter(({ actor }) => actor.alive);
  const ended = living[random.below(living.length)];
  if (ended === undefined) return;
  await ended.mutations.close();
  if (ended.actor.alive) scheduler.kill(ended.actor);
}

function giveUp(world: World, [wish]: readonly Wish[], plant: () => Planted): void {
  const { mutations } = startProcess(world, 'person', plant());
  mutations.abandon(wish?.id ?? '').catch((error: unknown) => {
    // There may be nothing to give up yet.
    if (!(error instanceof ArtworkError)) world.watch.violated(`giving up breaks off: ${String(error)}`);
  });
}
