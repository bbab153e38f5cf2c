import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** An episode that gets a title card. */
export interface Episode {
  readonly title: string;
  readonly seasonNumber: number;
  readonly episodeNumber: number;
}

/** Pixels: a title card of another shape is refused by the service, once it has the file. */
const usual = 1280;
const tooNarrow = 960;

interface Look {
  /** Another drawing of the same episode: the same bytes, twice within seconds, are taken for a mistake. */
  readonly byNight?: boolean;
  readonly isTooNarrow?: boolean;
}

/** A folder of title cards, named as people name them. */
export async function drawCards(
  folder: string,
  show: string,
  episodes: readonly Episode[],
  look: Look = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const episode of episodes) await drawCard(folder, show, episode, look);
}

/** Draws one card: a door in the colours of its season, and as many stones before it as the episode's number. */
export async function drawCard(
  folder: string,
  show: string,
  { title, seasonNumber, episodeNumber }: Episode,
  { byNight = false, isTooNarrow = false }: Look,
): Promise<string> {
  const { default: sharp } = await import('sharp');
  const [season, episode] = [seasonNumber, episodeNumber].map((one) => String(one).padStart(2, '0'));
  const file = path.join(folder, `${show} - S${season}E${episode} - ${title}.jpg`);
  const hue = (seasonNumber * 67 + episodeNumber * 4) % 360;
  const stones = Array.from({ length: episodeNumber }, (_, stone) => {
    return `<circle cx="${70 + stone * 88}" cy="668" r="26" fill="hsl(${hue},20%,72%)"/>`;
  });
  const light = byNight ? 14 : 34;
  const width = isTooNarrow ? tooNarrow : usual;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="720" viewBox="0 0 1280 720" preserveAspectRatio="xMidYMid slice">
    <rect width="1280" height="720" fill="hsl(${hue},45%,${light}%)"/>
    <path d="M490 610 V290 A150 150 0 0 1 790 290 V610 Z" fill="hsl(${hue + 40},60%,55%)"/>
    <circle cx="748" cy="440" r="16" fill="#f4e2b0"/>${stones.join('')}</svg>`;
  await sharp(Buffer.from(picture)).jpeg({ quality: 92 }).toFile(file);
  return file;
}
