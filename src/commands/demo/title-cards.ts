import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import type { Host, Voice } from './transcript.ts';

/** The fictional show of the embedded catalogue that has as many episodes as the folder has cards. */
const showTitle = 'The Sixty-Two Doors of Wexmoor';

const episode = z.object({
  id: z.int(),
  title: z.string(),
  seasonNumber: z.int(),
  episodeNumber: z.int(),
  show: z.object({ id: z.int(), title: z.string() }),
});
const page = z.object({ data: z.array(episode), nextCursor: z.string().nullable() });

/** What it is named after. */
const episodesOfShow = 62;

export type DemoEpisode = z.output<typeof episode>;

/**
 * Reads the episodes that get title cards: those of one show, from the index, whose pages are too long to be
 * printed.
 */
export async function findEpisodesForCards(host: Host, voice: Voice): Promise<readonly DemoEpisode[]> {
  voice.say('\n# The episodes of a show, out of the index of all');
  const found: DemoEpisode[] = [];
  let pages = 0;
  let cursor: string | null = null;
  do {
    const args = { limit: 200, ...(cursor === null ? {} : { cursor }) };
    const read = page.parse((await host.call('list_episodes', args)).structuredContent);
    found.push(...read.data.filter(({ show }) => show.title === showTitle));
    pages += 1;
    voice.progress(found.length, episodesOfShow, `${pages} pages of the catalogue read`);
    cursor = read.nextCursor;
  } while (cursor !== null);
  voice.say(`> list_episodes {"limit":200}\n(${pages} pages: ${found.length} episodes of ${showTitle}.)`);
  if (found.length === 0) throw new CommandError(`The catalogue has no episodes of ${showTitle}.`);
  return found;
}

/** A folder of title cards, named as people name them. Answers where it is. */
export async function drawCards(folder: string, episodes: readonly DemoEpisode[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  const queue = episodes.values();
  const draw = async () => {
    for (const one of queue) await drawCard(folder, one);
  };
  await Promise.all([draw(), draw()]);
  return folder;
}

/**
 * Draws a title card and writes its file. One card: a door in the colours of its season, and as many stones before
 * it as the episode's number.
 */
export async function drawCard(
  folder: string,
  { title, seasonNumber, episodeNumber }: DemoEpisode,
  { width = 1280, night = false }: { readonly width?: number; readonly night?: boolean } = {},
): Promise<string> {
  const { default: sharp } = await import('sharp');
  const number = [seasonNumber, episodeNumber].map((one) => String(one).padStart(2, '0'));
  const file = path.join(folder, `${showTitle} - S${number[0]}E${number[1]} - ${title}.jpg`);
  const hue = (seasonNumber * 67 + episodeNumber * 4) % 360;
  const stones = Array.from(
    { length: episodeNumber },
    (_, stone) => `<circle cx="${70 + stone * 88}" cy="668" r="26" fill="hsl(${hue},20%,72%)"/>`,
  );
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="720" viewBox="0 0 1280 720" preserveAspectRatio="xMidYMid slice">
    <rect width="1280" height="720" fill="hsl(${hue},45%,${night ? 12 : 34}%)"/>
    <path d="M490 610 V290 A150 150 0 0 1 790 290 V610 Z" fill="hsl(${hue + 40},60%,${night ? 30 : 55}%)"/>
    <circle cx="748" cy="440" r="16" fill="#f4e2b0"/>${stones.join('')}</svg>`;
  await sharp(Buffer.from(picture)).jpeg({ quality: 92 }).toFile(file);
  return file;
}
