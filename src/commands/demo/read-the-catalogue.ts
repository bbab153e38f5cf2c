import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { keepSheet } from './contact-sheet.ts';
import type { Ask } from './transcript.ts';

const episodes = z.object({ data: z.tuple([z.object({ show: z.object({ id: z.int() }) })], z.unknown()) });
const season = z.object({ id: z.int(), seasonNumber: z.int() });
const seasons = z.object({ data: z.object({ seasons: z.array(season) }) });
const sets = z.object({ data: z.object({ sets: z.array(z.object({ id: z.int() })) }) });
const feedPage = z.object({ nextCursor: z.string() });

/** The reading half of the main job; everything that it asks for is named by an earlier answer. */
export async function readTheCatalogue(ask: Ask, folder: string): Promise<void> {
  const index = await ask('A page of the episodes index', 'list_episodes', { limit: 3 });
  const showId = episodes.parse(index.structured).data[0].show.id;
  await ask('The show of the first of them, by id', 'get_entity', { kind: 'show', id: showId });

  const include = (section: string) => ({ kind: 'show', id: showId, include: [section] });
  const listed = seasons.parse((await ask('Its seasons', 'get_entity', include('seasons'))).structured).data
    .seasons;
  const chosen = listed.find(({ seasonNumber }) => seasonNumber > 0) ?? listed[0];
  if (chosen === undefined) throw new CommandError('The show lists no season.');
  await ask('One of its seasons', 'get_entity', { kind: 'season', id: chosen.id });

  const [set] = sets.parse((await ask('The Sets made for it', 'get_entity', include('sets'))).structured).data
    .sets;
  if (set === undefined) throw new CommandError('The show lists no Set.');
  await ask('One of them: what it has, what it lacks', 'get_set', { kind: 'show_set', id: set.id });

  const feed = { feed: 'assets', limit: 4 };
  const first = await ask('What changed lately: a first page', 'read_feed', feed);
  const cursor = feedPage.parse(first.structured).nextCursor;
  await ask('… and the page after it', 'read_feed', { ...feed, cursor });

  const items = [{ kind: 'show_set', id: set.id }];
  const sheet = await ask("The Set's pictures on a contact sheet", 'view_artwork', { items });
  await keepSheet(sheet.images[0], path.join(folder, 'contact-sheet.png'));
}
