// Makes a data folder of the embedded catalogue as large as a real one:
//   node bench/generate.mjs DIR [--scale 0.1] [--seed NAME] [--now ISO]
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bundling } from '../scripts/bundling.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The generator as a module, in a folder of its own with the rows that the build has written. */
export async function loadGenerator() {
  const folder = path.join(root, 'test-output', `generator-${process.pid}`);
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { catalogue: 'bench/generated/catalogue.ts' },
      outdir: folder,
      ...bundling,
    });
    await copyFile(path.join(root, 'dist', 'catalogue.gz'), path.join(folder, 'catalogue.gz'));
    const module = await import(pathToFileURL(path.join(folder, 'catalogue.js')).href);
    return { ...module, unload: () => rm(folder, { recursive: true, force: true }) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      scale: { type: 'string', default: '1' },
      seed: { type: 'string', default: 'million' },
      now: { type: 'string', default: new Date().toISOString() },
    },
  });
  const [dataDir] = positionals;
  const factor = Number(values.scale);
  const now = new Date(values.now);
  if (
    dataDir === undefined ||
    positionals.length > 1 ||
    !(factor > 0 && factor <= 10) ||
    Number.isNaN(now.getTime())
  ) {
    console.error('Usage: node bench/generate.mjs DIR [--scale 0.1] [--seed NAME] [--now ISO]');
    process.exit(2);
  }
  const { generateCatalogue, wholeScale, unload } = await loadGenerator();
  try {
    const scale = Object.fromEntries(
      Object.entries(wholeScale).map(([what, count]) => [what, Math.round(count * factor)]),
    );
    const since = performance.now();
    const { counts, bytes } = await generateCatalogue(path.resolve(dataDir), {
      scale,
      seed: values.seed,
      now,
    });
    const seconds = (performance.now() - since) / 1000;
    const told = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
    console.log(
      `${told.join(', ')} in ${seconds.toFixed(0)} s, ${(bytes / 1_048_576).toFixed(0)} MiB: ${path.resolve(dataDir)}`,
    );
  } finally {
    await unload();
  }
}
