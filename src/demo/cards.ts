import { mkdir } from 'node:fs/promises';
import path from 'node:path';

export interface Episode {
  readonly title: string;
  readonly seasonNumber: number;
  readonly episodeNumber: number;
}

/** Draws a title card for an episode into a folder, under a name such as people give. @returns its path */
export async function drawCard(
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
