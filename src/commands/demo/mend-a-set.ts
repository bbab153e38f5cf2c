import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { followToOutcome, requireOutcome } from './follow.ts';
import type { Stage } from './make-a-set.ts';
import { drawCard, drawCards, type DemoEpisode } from './title-cards.ts';

const cards = 4;
/** Pixels: with 720 of height it is no title card for this service, which says so only once it has the file. */
const narrowWidth = 960;

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const planned = z.object({ next: call });
const named = z.object({ next: call });

/** A Set of which the service refuses one picture: it ends `partial`, and a new mutation mends it. */
export async function mendASet(
  { transcript: { ask, voice }, pictures }: Stage,
  episodes: readonly DemoEpisode[],
): Promise<void> {
  const some = episodes.filter(({ seasonNumber }) => seasonNumber === 5).slice(0, cards);
  const [odd] = some;
  if (odd === undefined) throw new CommandError('The show has no fifth season.');
  const folder = await drawCards(path.join(pictures, 'season 5'), some);
  await drawCard(folder, odd, { width: narrowWidth });
  voice.chapter('What goes wrong is told, and mended');
  voice.asks(`Make a Set of these ${some.length} cards as well.`);
  voice.say(`\n(There is a second folder: ${some.length} cards, one of them too narrow.)`);
  const plan = await ask('A plan of it, which warns of the narrow one', 'plan_set', {
    folder,
    entryTargetKind: 'show',
    entryTargetId: odd.show.id,
    limit: some.length,
  });
  const { next } = planned.parse(plan.structured);
  const { dryRun: _, ...args } = next.arguments;
  const created = await ask('The Set of it, all the same', next.tool, {
    ...args,
    titleBase: 'Season five, with a slip',
  });
  const partial = requireOutcome(await followToOutcome(ask, created.structured), 'partial');
  const failed = partial.items.find(({ status }) => status === 'failed');
  if (failed === undefined) throw new CommandError('No item is told to have failed.');

  voice.answers(
    `${some.length - 1} of ${some.length} are in the new Set. One has the wrong shape, and the service refused it: the Set ended “partial”.`,
  );

  voice.asks('I have drawn it anew. Put it in.');
  const following = named.parse(created.structured).next;
  const drawn = await ask(
    'What the answer names as next: an identity for a new mutation',
    following.tool,
    following.arguments,
  );
  const [id] = z.object({ ids: z.tuple([z.string()]) }).parse(drawn.structured).ids;
  const edited = await ask('The failed item alone, with a card of the right shape', 'edit_set', {
    clientMutationId: id,
    expectedUpdatedAt: partial.updatedAt,
    setId: partial.setId,
    setKind: 'media_set',
    items: [
      {
        operation: 'add',
        targetKind: failed.target.kind,
        targetId: failed.target.id,
        slot: failed.slot,
        file: await drawCard(folder, odd),
      },
    ],
  });
  const end = requireOutcome(await followToOutcome(ask, edited.structured), 'succeeded');
  voice.answers('The one that was refused is added by a change of its own; the others stay as they are.');
  voice.say(`(The Set ${end.setId} had ended partial, and a new mutation has mended it.)`);
}
