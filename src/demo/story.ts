import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { printLines } from '../terminal.ts';
import { signInAsPerson } from './browser.ts';
import { type Arguments, DemoError, type Host, nextCall } from './host.ts';

/** A made-up show of the embedded catalogue. */
const show = 'The Sixty-Two Doors of Wexmoor';
/** The server is killed when so many files have arrived. */
const arrivedBefore = 30;

const works = z.object({ data: z.array(z.looseObject({ id: z.int(), title: z.string() })) });
const work = z.object({
  data: z.object({ seasons: z.array(z.object({ id: z.int(), seasonNumber: z.int() })) }),
});
const season = z.object({
  data: z.object({ episodes: z.array(z.object({ title: z.string(), episodeNumber: z.int() })) }),
});
const plan = z.object({
  counts: z.object({ files: z.int(), matched: z.int(), ambiguous: z.int(), missing: z.int() }),
  next: nextCall,
});
const submission = z.object({
  outcome: z.string(),
  says: z.string(),
  counts: z.record(z.string(), z.number()).optional(),
  next: nextCall.partial().optional(),
});

interface Episode {
  readonly title: string;
  readonly seasonNumber: number;
  readonly episodeNumber: number;
}

/** The show that gets title cards. */
interface Doors {
  readonly id: number;
  readonly episodes: readonly Episode[];
}

/**
 * The main job as a story: sign in, plan, send, crash, resume.
 * @param uploads an open folder
 * @param cards what people call title cards
 */
export async function tellStory(host: Host, uploads: string, cards: string): Promise<void> {
  chapter(1, 'Sign in');
  await signIn(host);
  chapter(2, 'Make a Set from a folder, and survive a crash');
  const doors = await readDoors(host);
  await makeSet(host, path.join(uploads, cards), doors);
}

export function chapter(number: number, title: string): void {
  printLines(['', `${number}. ${title}`]);
}

function you(words: string): void {
  printLines(['', `  You: “${words}”`]);
}

function tell(...sentences: readonly string[]): void {
  printLines(sentences.map((sentence) => `  ${sentence}`));
}

async function signIn(host: Host): Promise<void> {
  you('Connect my account.');
  const { url } = await host.call('connect_account', {}, z.object({ url: z.url() }));
  tell('You get an address of the service. There you sign in, and see what the server may do for you.');
  const name = await signInAsPerson(url);
  const { explanation } = await host.call('account_status', {}, z.object({ explanation: z.string() }));
  tell(`The demo has signed in as ${name}. ${explanation} Your chat never sees a password or a token.`);
}

async function readDoors(host: Host): Promise<Doors> {
  you(`Which episodes does ${show} have?`);
  const [found] = (await host.call('find_titles', { query: show, kind: 'show' }, works)).data;
  if (found?.title !== show) throw new DemoError(`The catalogue has no ${show}.`);
  const asked = { kind: 'show', id: found.id, include: ['seasons'] };
  const { seasons } = (await host.call('get_entity', asked, work)).data;
  const episodes: Episode[] = [];
  for (const { id, seasonNumber } of seasons) {
    const { data } = await host.call('get_entity', { kind: 'season', id, include: ['episodes'] }, season);
    episodes.push(...data.episodes.map((episode) => ({ ...episode, seasonNumber })));
  }
  tell(`It has ${episodes.length} episodes in ${seasons.length} seasons.`);
  return { id: found.id, episodes };
}

async function makeSet(host: Host, folder: string, { id, episodes }: Doors): Promise<void> {
  const cards = path.basename(folder);
  for (const episode of episodes) await drawCard(folder, show, episode);
  you(`Here is a folder with ${episodes.length} ${cards}. Make a Set of them.`);
  const asked = { folder, entryTargetKind: 'show', entryTargetId: id, limit: 1 };
  const { counts, next } = await host.call('plan_set', asked, plan);
  tell(
    `${counts.matched} of ${counts.files} files belong to an episode. Unclear files: ${counts.ambiguous}.`,
    `Episodes without a file: ${counts.missing}.`,
  );
  await host.call(next.tool, next.arguments, z.object({ outcome: z.literal('dry_run') }));
  tell('Nothing is sent yet. It waits for your word.');

  you('Yes, send it.');
  const { dryRun: _, ...planned } = next.arguments;
  const args = { ...planned, titleBase: 'Doors, one card each' };
  await host.crashDuring(next.tool, args, (progress) => {
    const [, arrived = 0, all = 0] = /^(\d+) of (\d+) files/.exec(progress)?.map(Number) ?? [];
    if (all === 0 || arrived < arrivedBefore) return false;
    tell(`When ${arrived} of ${all} files have arrived, the server is killed (SIGKILL).`);
    return true;
  });

  you('What happened to it?');
  const { clientMutationId } = z.object({ clientMutationId: z.string() }).parse(args);
  const made = await follow(host, 'get_mutation_status', { clientMutationId });
  if (made.outcome !== 'succeeded' || made.counts?.succeeded !== episodes.length) {
    throw new DemoError(`The Set is not whole: ${made.says}`);
  }
  tell(
    'A new server reads in its ledger what was sent. It goes on from its own copies, with the files that are missing.',
    `The service shows one Set with ${episodes.length} ${cards}. Nothing was sent twice, and nothing was lost.`,
  );
}

/** Draws a title card for an episode into a folder, under a name such as people give. @returns its path */
async function drawCard(
  folder: string,
  show: string,
  { title, seasonNumber, episodeNumber }: Episode,
): Promise<string> {
  const { default: sharp } = await import('sharp');
  const [season, episode] = [seasonNumber, episodeNumber].map((number) => String(number).padStart(2, '0'));
  const hue = (seasonNumber * 67 + episodeNumber * 4) % 360;
  const stone = (_: unknown, index: number) =>
    `<circle cx="${70 + index * 88}" cy="668" r="26" fill="hsl(${hue},20%,72%)"/>`;
  // A door in the colours of its season, and as many stones as the episode's number.
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720">
    <rect width="1280" height="720" fill="hsl(${hue},45%,34%)"/>
    <path d="M490 610 V290 A150 150 0 0 1 790 290 V610 Z" fill="hsl(${hue + 40},60%,55%)"/>
    <circle cx="748" cy="440" r="16" fill="#f4e2b0"/>${Array.from({ length: episodeNumber }, stone).join('')}</svg>`;
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${show} - S${season}E${episode} - ${title}.jpg`);
  await sharp(Buffer.from(picture)).jpeg({ quality: 92 }).toFile(file);
  return file;
}

/** Makes the call that each answer names as next, until the submission has ended. */
async function follow(host: Host, tool: string, args: Arguments): Promise<z.output<typeof submission>> {
  const answer = await host.call(tool, args, submission);
  if (!['processing', 'interrupted', 'unresolved'].includes(answer.outcome)) return answer;
  const { next } = answer;
  if (next?.tool === undefined) throw new DemoError(`No call is named as next: ${answer.says}`);
  return follow(host, next.tool, next.arguments ?? {});
}
