import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { countEffects, forgetFaults, orderFault } from './catalogue.ts';
import { type Ask, type Host, keepSheet, type Transcript, type Voice } from './transcript.ts';
import { type DemoEpisode, drawCard, drawCards } from './title-cards.ts';

/** So many of the files have arrived when the server is killed. */
const arrivedBefore = 30;

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const counts = z.object({ files: z.int(), matched: z.int(), ambiguous: z.int(), missing: z.int() });
const planned = z.object({ counts, view: z.tuple([call], z.unknown()), next: call });
const revised = z.object({ updatedAt: z.string() });

/** What the demo works with. */
export interface Stage {
  readonly host: Host;
  readonly transcript: Transcript;
  /** Of the embedded catalogue. */
  readonly baseUrl: string;
  /** For files to upload. */
  readonly pictures: string;
  /** For what the person may keep. */
  readonly folder: string;
}

/** A Set of a whole folder: planned, tried out, interrupted by a kill in its middle, resumed, edited. */
export async function makeASet(stage: Stage, episodes: readonly DemoEpisode[]): Promise<void> {
  const { transcript, baseUrl, pictures } = stage;
  const { ask, voice } = transcript;
  voice.chapter('A folder becomes a Set, and survives a crash');
  const folder = await drawCards(path.join(pictures, 'title cards'), episodes);
  voice.say(`\n(There is a folder of ${episodes.length} title cards now.)`);
  voice.asks(`Here is a folder of ${episodes.length} title cards, make the Set.`);
  const creation = await planCreation(stage, folder, episodes);
  const dryRun = await ask('What the plan names as next: a dry run', creation.tool, creation.arguments);
  z.object({ outcome: z.literal('dry_run') }).parse(dryRun.structured);

  voice.answers('Nothing is sent yet. It shows the files, each in its place, and waits for your word.');

  voice.asks('Yes, send it.');
  // The person has looked at all of it.
  const { dryRun: _, ...args } = creation.arguments;
  await killInTheMiddle(stage, creation.tool, { ...args, titleBase: 'Doors, one card each' });
  const { clientMutationId } = z.object({ clientMutationId: z.string() }).parse(args);
  voice.asks('What became of it?');
  const status = await ask('How does it stand?', 'get_mutation_status', { clientMutationId });
  const made = requireOutcome(await followToOutcome(ask, status.structured), 'succeeded');
  await requireOnce(voice, baseUrl, clientMutationId, episodes.length);

  voice.asks('Take the darker picture for the first card, and call the Set finished.');
  const [first] = made.items;
  const episode = episodes.find(({ id }) => id === first?.target.id);
  if (first?.assetId === undefined || episode === undefined) throw new CommandError('No item is told of.');
  const asset = await ask('The Asset of a card that is to be drawn anew, with its revision', 'get_owned', {
    type: 'asset',
    id: first.assetId,
  });
  const drawn = await ask('An identity for the edit', 'new_mutation_ids', { count: 1 });
  const [id] = z.object({ ids: z.tuple([z.string()]) }).parse(drawn.structured).ids;
  const edited = await ask('The edit: another picture, and other metadata, in one', 'edit_set', {
    clientMutationId: id,
    expectedUpdatedAt: made.updatedAt,
    setId: made.setId,
    setKind: 'media_set',
    metadata: { description: 'A door for every episode.', finalised: true },
    items: [
      {
        operation: 'replace',
        targetKind: first.target.kind,
        targetId: first.target.id,
        slot: first.slot,
        file: await drawCard(path.join(pictures, 'title cards'), episode, { night: true }),
        expectedPreviousAssetId: first.assetId,
        expectedAssetUpdatedAt: revised.parse(asset.structured).updatedAt,
      },
    ],
  });
  const end = requireOutcome(await followToOutcome(ask, edited.structured), 'succeeded');
  voice.answers('One picture is replaced and the Set is marked as finished, in one edit.');
  voice.say(`(The Set ${end.setId} was made whole, and its edit succeeded.)`);
}

/** Answers the call that the plan names as next. */
async function planCreation(
  { transcript: { ask, voice }, folder: kept }: Stage,
  folder: string,
  [first]: readonly DemoEpisode[],
): Promise<z.output<typeof call>> {
  const answer = await ask('A plan of it: which file is which episode', 'plan_set', {
    folder,
    entryTargetKind: 'show',
    entryTargetId: first?.show.id,
    limit: 24,
  });
  const plan = planned.parse(answer.structured);
  const { files, matched, ambiguous, missing } = plan.counts;
  voice.answers(
    `It reads the folder: of ${files} files ${matched} belong to an episode, ${ambiguous} could be two; ${missing} episodes have none.`,
    'The first of them, on a sheet to look at:',
  );
  const [view] = plan.view;
  const sheet = await ask('The first of them, on a contact sheet', view.tool, view.arguments);
  await keepSheet(voice, sheet.images[0], path.join(kept, 'title-cards.png'));
  return plan.next;
}

/** Kills the server while it sends, for sure: the catalogue holds up the files that come after the first ones. */
async function killInTheMiddle(
  { host, transcript, baseUrl }: Stage,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<void> {
  await orderFault(baseUrl, {
    method: 'POST',
    path: '/me/set-uploads/*/assets',
    skip: arrivedBefore,
    count: 10,
    do: 'delay',
    when: 'before',
    milliseconds: 5_000,
  });
  const { voice } = transcript;
  voice.say(`\n(The catalogue is told to be slow once ${arrivedBefore} files have arrived.)`);
  let killed: number | null = null;
  await transcript.askTheDying('The same for real', tool, args, (message) => {
    const [, done = '0', of = '1'] = /^(\d+) of (\d+) items/.exec(message) ?? [];
    const arrived = Number(done);
    voice.progress(arrived, Number(of), message);
    if (killed !== null || arrived < arrivedBefore) return;
    killed = host.kill();
    voice.answers(`${arrived} of ${of} files are there when the server is killed in the middle of its work.`);
    voice.say(`(${message}. The server, process ${killed}, is killed: SIGKILL.)`);
  });
  await forgetFaults(baseUrl);
  const anew = await host.startAnew();
  voice.say(`(A new server is started, process ${anew}.)`);
}

/** The catalogue's own account of it. */
async function requireOnce(
  voice: Voice,
  baseUrl: string,
  clientMutationId: string,
  files: number,
): Promise<void> {
  const effects = await countEffects(baseUrl, clientMutationId);
  const [received, sets] = ['submission.file', 'set.create'].map((name) => effects.get(name) ?? 0);
  voice.answers(
    'A new server knows what was sent, goes on from its own copies of the files, and sends only what is not there.',
    `By the catalogue's own count: ${received} files received, ${sets} Set made. Nothing twice, nothing lost.`,
  );
  voice.say(`(The catalogue's own record: ${received} files received, ${sets} Set made.)`);
  if (received !== files || sets !== 1) throw new CommandError('Something was applied twice, or not at all.');
}

const cards = 4;
/** Pixels: with 720 of height it is no title card for this service, which says so only once it has the file. */
const narrowWidth = 960;

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
  const { next } = named.parse(plan.structured);
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

const submittedItem = z.object({
  itemId: z.string(),
  status: z.string(),
  slot: z.string(),
  target: z.object({ kind: z.string(), id: z.int() }),
  assetId: z.string().optional(),
});

const submissionAnswer = z.object({
  outcome: z.string(),
  clientMutationId: z.string(),
  updatedAt: z.string().optional(),
  id: z.looseObject({ kind: z.string(), id: z.union([z.int(), z.string()]).nullable() }).optional(),
  items: z.array(submittedItem).optional(),
  next: z
    .object({ tool: z.string().optional(), arguments: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});

/** How a submission stands, as far as the demo goes by it. */
type Submitted = z.output<typeof submissionAnswer>;

/** Does what each answer names as next, to the letter, until the submission has an outcome. */
async function followToOutcome(ask: Ask, structured: unknown): Promise<Submitted> {
  let answer = submissionAnswer.parse(structured);
  while (answer.outcome === 'processing' || answer.outcome === 'unresolved') {
    const { tool, arguments: args } = answer.next ?? {};
    if (tool === undefined || args === undefined) throw new CommandError('The answer above names no call.');
    answer = submissionAnswer.parse((await ask('What the answer names as next', tool, args)).structured);
  }
  return answer;
}

/** A submission that ended so, of a Set that there is now. @throws CommandError where it ended otherwise */
function requireOutcome({ outcome, id, updatedAt, items = [] }: Submitted, wanted: 'succeeded' | 'partial') {
  if (outcome !== wanted) throw new CommandError(`It ended ${outcome}, and should have ended ${wanted}.`);
  const setId = id?.id;
  if (typeof setId !== 'number' || updatedAt === undefined)
    throw new CommandError('The answer above names no Set.');
  return { setId, updatedAt, items };
}
