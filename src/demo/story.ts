import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { printLine, progressBar, progressLine } from '../terminal.ts';
import { signInAsPerson } from './browser.ts';
import { drawCard, drawCards, type Episode } from './cards.ts';
import { type Arguments, DemoError, type Host, nextCall } from './host.ts';

/** A made-up show of the embedded catalogue, with as many episodes as the folder has cards. */
const show = 'The Sixty-Two Doors of Wexmoor';
/** So many files have arrived when the server is killed. */
const arrivedBefore = 30;
/** Cards of the Set of which the service refuses one. */
const cardsWithSlip = 4;

const hits = z.object({
  data: z.array(z.looseObject({ id: z.number(), kind: z.string(), title: z.string() })),
});
const seasons = z.object({
  data: z.object({ seasons: z.array(z.object({ id: z.int(), seasonNumber: z.int() })) }),
});
const season = z.object({
  data: z.object({ episodes: z.array(z.object({ title: z.string(), episodeNumber: z.int() })) }),
});
const shown = z.object({
  data: z.object({
    seasons: z.array(z.unknown()),
    sets: z.array(z.object({ id: z.int(), title: z.string(), createdBy: z.string() })),
  }),
});
const address = z.object({ url: z.url() });
const connected = z.object({ explanation: z.string() });
const counts = z.object({ files: z.int(), matched: z.int(), ambiguous: z.int(), missing: z.int() });
const plan = z.object({ counts, view: z.array(nextCall), next: nextCall });
const item = z.object({
  status: z.string(),
  slot: z.string(),
  target: z.object({ kind: z.string(), id: z.int() }),
});
const submission = z.object({
  outcome: z.string(),
  counts: z.record(z.string(), z.number()).optional(),
  updatedAt: z.string().optional(),
  id: z.looseObject({ id: z.union([z.int(), z.string()]).nullable() }).optional(),
  items: z.array(item).optional(),
  next: nextCall.partial().optional(),
});
const ids = z.object({ ids: z.tuple([z.string()]) });

/**
 * The main job as a story: find, show, connect, plan, make, kill, resume, mend. Keeps two pictures in `kept`.
 * @param cards what a person calls title cards
 */
export async function tellStory(host: Host, uploads: string, kept: string, cards: string): Promise<void> {
  await lookAround(host, kept);
  await connect(host);
  const made = await readMade(host);
  await makeASet(host, path.join(uploads, cards), made, kept);
  await mendASet(host, path.join(uploads, 'season 5'), made);
}

let chapters = 0;

/** A part of the story. */
export function chapter(title: string): void {
  chapters += 1;
  printLine('');
  printLine([{ style: 'bold', text: `${chapters}. ${title}` }]);
}

function you(words: string): void {
  printLine('');
  printLine(['  ', { style: 'cyan', text: `You: “${words}”` }]);
}

function tell(...sentences: readonly string[]): void {
  progressLine(null);
  for (const sentence of sentences) printLine(`  ${sentence}`);
}

/** Keeps a contact sheet for the person to look at. */
async function keep(picture: Buffer, file: string): Promise<void> {
  const { default: sharp } = await import('sharp');
  await writeFile(file, await sharp(picture).png().toBuffer());
  printLine(['  ', { style: 'green', text: file }]);
}

async function lookAround(host: Host, kept: string): Promise<void> {
  chapter('Look around');
  you('What artwork is there for Twin Peaks?');
  const found = await host.call('find_titles', { query: 'Twin Peaks', kind: 'show' }, hits);
  const [hit] = found.data;
  if (hit === undefined) throw new DemoError('The catalogue does not know Twin Peaks.');
  const { data } = await host.call(
    'get_entity',
    { kind: 'show', id: hit.id, include: ['seasons', 'sets'] },
    shown,
  );
  const [set] = data.sets;
  if (set === undefined) throw new DemoError('The show has no Set.');
  tell(`${hit.title} has ${data.seasons.length} seasons. ${data.sets.length} Sets were made for it:`);
  for (const { title, createdBy } of data.sets) tell(`  “${title}” by ${createdBy}`);

  you(`Show me the pictures of “${set.title}” side by side.`);
  const sheet = await host.picture('view_artwork', { items: [{ kind: 'show_set', id: set.id }] });
  await keep(sheet, path.join(kept, 'contact-sheet.png'));
}

/** The show that gets title cards. */
interface Doors {
  readonly id: number;
  readonly episodes: readonly Episode[];
}

async function readMade(host: Host): Promise<Doors> {
  chapter('A folder becomes a Set, and survives a crash');
  you(`Which episodes does ${show} have?`);
  const found = await host.call('find_titles', { query: show, kind: 'show' }, hits);
  const [hit] = found.data;
  if (hit?.title !== show) throw new DemoError(`The catalogue does not know ${show}.`);
  const { data } = await host.call('get_entity', { kind: 'show', id: hit.id, include: ['seasons'] }, seasons);
  const episodes: Episode[] = [];
  for (const { id, seasonNumber } of data.seasons) {
    const read = await host.call('get_entity', { kind: 'season', id, include: ['episodes'] }, season);
    episodes.push(...read.data.episodes.map((one) => ({ ...one, seasonNumber })));
  }
  tell(`${episodes.length} in ${data.seasons.length} seasons.`);
  return { id: hit.id, episodes };
}

async function connect(host: Host): Promise<void> {
  chapter('Your account');
  you('Connect my account.');
  const { url } = await host.call('connect_account', {}, address);
  tell('It answers with an address of the service. There you sign in, and see what it may do for you.');
  const name = await signInAsPerson(url);
  const { explanation } = await host.call('account_status', {}, connected);
  tell(`Here the demo did so as ${name}. ${explanation} No password and no token went through the chat.`);
}

async function makeASet(host: Host, folder: string, { id, episodes }: Doors, kept: string): Promise<void> {
  await drawCards(folder, show, episodes);
  const cards = path.basename(folder);
  you(`Here is a folder of ${episodes.length} ${cards}, make the Set.`);
  const planned = await planOf(host, folder, id);
  const { files, matched, ambiguous, missing } = planned.counts;
  tell(
    `It reads the folder: of ${files} files ${matched} belong to an episode, ${ambiguous} could be two; ${missing} episodes have none.`,
    'The first of them, on a sheet to look at:',
  );
  const [view] = planned.view;
  if (view === undefined) throw new DemoError('The plan names no call that shows it.');
  await keep(await host.picture(view.tool, view.arguments), path.join(kept, 'title-cards.png'));
  await host.call(planned.next.tool, planned.next.arguments, z.object({ outcome: z.literal('dry_run') }));
  tell('Nothing is sent yet. It waits for your word.');

  you('Yes, send it.');
  // The person has looked at all of it.
  const { dryRun: _, ...args } = planned.next.arguments;
  await killInTheMiddle(host, planned.next.tool, { ...args, titleBase: 'Doors, one card each' });

  you('What became of it?');
  const { clientMutationId } = z.object({ clientMutationId: z.string() }).parse(args);
  const asked = { tool: 'get_mutation_status', arguments: { clientMutationId } };
  const made = await follow(host, asked);
  const sent = made.counts?.succeeded;
  if (made.outcome !== 'succeeded' || sent !== episodes.length) throw endedOtherwise(made);
  tell(
    'A new server knows what was sent, goes on from its own copies of the files, and sends only what is not there.',
    `The service shows one Set with ${sent} ${cards}: nothing twice, nothing lost.`,
  );
}

function planOf(host: Host, folder: string, id: number): Promise<z.output<typeof plan>> {
  return host.call('plan_set', { folder, entryTargetKind: 'show', entryTargetId: id, limit: 24 }, plan);
}

/** Kills the server while it sends, and starts another. */
async function killInTheMiddle(host: Host, tool: string, args: Arguments): Promise<void> {
  let isKilled = false;
  await host.callTheDying(tool, args, (message) => {
    const [, arrived, all] = /^(\d+) of (\d+) files/.exec(message) ?? [];
    if (isKilled || arrived === undefined) return;
    progressLine(`  ${progressBar(Number(arrived) / Number(all))} ${message}`);
    if (Number(arrived) < arrivedBefore) return;
    isKilled = true;
    host.kill();
    tell(
      `${arrived} of ${all} files are there when the server is killed (SIGKILL) in the middle of its work.`,
    );
  });
  await host.startAnew();
}

/** Does what each answer names as next, to the letter, until the submission has an outcome. */
async function follow(host: Host, first: z.output<typeof nextCall>): Promise<z.output<typeof submission>> {
  for (let { tool, arguments: args } = first; ; ) {
    const answer = await host.call(tool, args, submission);
    if (!['processing', 'interrupted', 'unresolved'].includes(answer.outcome)) return answer;
    if (answer.next?.tool === undefined)
      throw new DemoError(`It is ${answer.outcome}, and no call is named.`);
    ({ tool, arguments: args = {} } = answer.next);
  }
}

function endedOtherwise({ outcome, counts: found }: z.output<typeof submission>): DemoError {
  return new DemoError(`The Set ended ${outcome}: ${JSON.stringify(found)}.`);
}

/** A Set of which the service refuses one picture: it ends `partial`, and a new mutation mends it. */
async function mendASet(host: Host, folder: string, { id, episodes }: Doors): Promise<void> {
  chapter('What goes wrong is told, and mended');
  const some = episodes.filter(({ seasonNumber }) => seasonNumber === 5).slice(0, cardsWithSlip);
  const [odd] = some;
  if (odd === undefined) throw new DemoError(`${show} has no fifth season.`);
  await drawCards(folder, show, some, { byNight: true });
  await drawCard(folder, show, odd, { byNight: true, isTooNarrow: true });
  you(`I have drawn ${some.length} of them by night. Make a Set of these as well.`);
  const { next } = await planOf(host, folder, id);
  const { dryRun: _, ...args } = next.arguments;
  const slipped = { ...args, titleBase: 'Season five, with a slip' };
  const partial = await follow(host, { tool: next.tool, arguments: slipped });
  const failed = partial.items?.find(({ status }) => status === 'failed');
  if (partial.outcome !== 'partial' || failed === undefined) throw endedOtherwise(partial);
  tell(
    `${some.length - 1} of ${some.length} are in the new Set. One has the wrong shape, and the service refused it: the Set ended “partial”.`,
  );

  you('I have drawn it anew. Put it in.');
  const { ids: drawn } = await host.call('new_mutation_ids', { count: 1 }, ids);
  const edit = {
    clientMutationId: drawn[0],
    expectedUpdatedAt: partial.updatedAt,
    setId: partial.id?.id,
    setKind: 'media_set',
    items: [
      {
        operation: 'add',
        targetKind: failed.target.kind,
        targetId: failed.target.id,
        slot: failed.slot,
        file: await drawCard(folder, show, odd, { byNight: true }),
      },
    ],
  };
  const mended = await follow(host, { tool: 'edit_set', arguments: edit });
  if (mended.outcome !== 'succeeded') throw endedOtherwise(mended);
  tell('The one that was refused is added by a change of its own; the others stay as they are.');
}
