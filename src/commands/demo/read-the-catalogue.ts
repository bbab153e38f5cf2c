import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { keepSheet } from './contact-sheet.ts';
import type { Transcript } from './transcript.ts';

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
