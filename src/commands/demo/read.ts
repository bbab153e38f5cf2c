import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { keepSheet, type Transcript, type Voice } from './transcript.ts';
import { accountOfDemo, signInAndAnswerConsent, Visitor } from './catalogue.ts';

const titled = z.object({ id: z.int(), title: z.string() });
const episodes = z.object({ data: z.tuple([z.object({ show: titled })], z.unknown()) });
const season = z.object({ id: z.int(), seasonNumber: z.int() });
const seasons = z.object({ data: z.object({ seasons: z.array(season) }) });
const sets = z.object({ data: z.object({ sets: z.array(titled.extend({ createdBy: z.string() })) }) });
const change = z.object({ slot: z.string(), changeType: z.string(), target: z.object({ kind: z.string() }) });
const feedPage = z.object({ data: z.tuple([change], change), nextCursor: z.string() });
const pictured = z.object({ data: z.array(z.unknown()) });

/** The reading half of the main job; everything that it asks for is named by an earlier answer. */
export async function readTheCatalogue({ ask, voice }: Transcript, folder: string): Promise<void> {
  voice.chapter('Look around');
  const index = await ask('A page of the episodes index', 'list_episodes', { limit: 3 });
  const { id: showId, title } = episodes.parse(index.structured).data[0].show;
  voice.asks(`What artwork is there for ${title}?`);
  await ask('The show of the first of them, by id', 'get_entity', { kind: 'show', id: showId });

  const include = (section: string) => ({ kind: 'show', id: showId, include: [section] });
  const listed = seasons.parse((await ask('Its seasons', 'get_entity', include('seasons'))).structured).data
    .seasons;
  const chosen = listed.find(({ seasonNumber }) => seasonNumber > 0) ?? listed[0];
  if (chosen === undefined) throw new CommandError('The show lists no season.');
  await ask('One of its seasons', 'get_entity', { kind: 'season', id: chosen.id });

  const made = sets.parse((await ask('The Sets made for it', 'get_entity', include('sets'))).structured).data
    .sets;
  const [set] = made;
  if (set === undefined) throw new CommandError('The show lists no Set.');
  await ask('One of them: what it has, what it lacks', 'get_set', { kind: 'show_set', id: set.id });

  voice.answers(
    `It has ${listed.length} seasons. ${made.length} Sets were made for it:`,
    ...made.map(({ title: name, createdBy }) => `  “${name}” by ${createdBy}`),
  );

  voice.asks('What changed lately?');
  const feed = { feed: 'assets', limit: 4 };
  const first = await ask('What changed lately: a first page', 'read_feed', feed);
  const { data: changes, nextCursor: cursor } = feedPage.parse(first.structured);
  await ask('… and the page after it', 'read_feed', { ...feed, cursor });

  voice.answers(
    ...changes.map(({ slot, changeType, target }) => `The ${slot} of a ${target.kind} was ${changeType}.`),
    '… and so on, page by page.',
  );

  voice.asks(`Show me the pictures of “${set.title}” side by side.`);
  const items = [{ kind: 'show_set', id: set.id }];
  const sheet = await ask("The Set's pictures on a contact sheet", 'view_artwork', { items });
  voice.answers(`${pictured.parse(JSON.parse(sheet.text)).data.length} pictures, on one sheet:`);
  await keepSheet(voice, sheet.images[0], path.join(folder, 'contact-sheet.png'));
}

const waiting = z.object({ url: z.url() });
const destinations = z.object({ data: z.array(z.object({ id: z.int(), title: z.string() })) });
const status = z.object({ account: z.string(), explanation: z.string() });
const ownedSet = z.object({ data: z.object({ assets: z.array(z.object({ id: z.string() })) }) });

/** Signs in through the pages that a person sees, by HTTP, then reads what the account owns. */
export async function readWhatIsMine({ ask, voice }: Transcript, home: string): Promise<void> {
  voice.chapter('Your account');
  voice.asks('Connect my account.');
  const begun = await ask(
    'Connect an account: the answer names the page for the person',
    'connect_account',
    {},
  );
  voice.answers(
    'It answers with an address of the service. There you sign in, and see what it may do for you.',
  );
  await signInAsPerson(voice, waiting.parse(begun.structured).url, home);
  const { account, explanation } = status.parse(
    (await ask('How the sign-in went', 'account_status', {})).structured,
  );
  voice.answers(
    `Here the demo did so as ${account}. ${explanation} No password and no token went through the chat.`,
  );

  voice.asks('Which Sets of mine can artwork go into?');

  const found = await ask('Own Sets that artwork can go into', 'find_upload_destinations', {
    kind: 'media_set',
  });
  const own = destinations.parse(found.structured).data;
  voice.answers(...own.slice(0, 3).map(({ title }) => `“${title}”`), `… ${own.length} on the first page.`);
  const [set] = own;
  if (set === undefined) throw new CommandError('The account owns no Set.');
  const owned = await ask('One of them, with its revision', 'get_owned', {
    type: 'set',
    id: set.id,
    limit: 3,
  });
  const [asset] = ownedSet.parse(owned.structured).data.assets;
  if (asset === undefined) throw new CommandError('The Set holds no Asset.');
  await ask('An Asset of it, with its own', 'get_owned', { type: 'asset', id: asset.id });
  await ask('Whom the account follows and hides', 'list_relationships', { limit: 3 });
}

async function signInAsPerson(voice: Voice, url: string, home: string): Promise<void> {
  const account = await accountOfDemo(home);
  voice.say(`(A person opens the page, signs in as ${account.name} and agrees.)`);
  const callback = await signInAndAnswerConsent(new Visitor(), url, account);
  const answer = await fetch(callback);
  await answer.body?.cancel();
  voice.say(`(The callback page answered ${answer.status}.)`);
}
