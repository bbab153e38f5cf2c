// Opens every picture of a folder in every way, all at once: decoding-process FOLDER. Says what came of each, and the most memory that it took.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodePicture } from '../../../src/curation/show/picture.ts';
import { checkFile, warningsOf } from '../../../src/files/check.ts';

const [, , folder = ''] = process.argv;
const roots = { configured: [folder], host: [] };

async function shown(file: string): Promise<string> {
  const image = await readFile(file);
  return decodePicture(image, { width: 256, height: 512 }).then(
    ({ raster }) => `shown ${raster.width}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

async function checked(file: string): Promise<readonly string[]> {
  const facts = await checkFile(file, { roots });
  return warningsOf(facts, { slot: '', usual: null }).map(({ code }) => code);
}

const files = (await readdir(folder)).map((name) => path.join(folder, name));
const told: Record<string, unknown> = {};
await Promise.all(
  files.map(async (file) => {
    const [look, check] = await Promise.all([shown(file), checked(file)]);
    told[path.basename(file)] = { shown: look, warnings: check };
  }),
);
process.stdout.write(JSON.stringify({ told, mostMiB: process.resourceUsage().maxRSS / 1024 }));
