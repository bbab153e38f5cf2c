// Writes NOTICE: the packages that the build holds parts of, and under which licences. With --check it changes nothing,
// and fails where NOTICE is older.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * The packages that the build holds parts of, by name and version.
 * @returns {Promise<{ spelt: string, license: string, folder: string }[]>}
 */
async function bundledPackages() {
  const folders = JSON.parse(await readFile(path.join(root, 'dist', 'bundled.json'), 'utf8'));
  const packages = await Promise.all(
    folders.map(async (/** @type {string} */ folder) => {
      const manifest = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
      const { name, version, license } = manifest;
      if (typeof license !== 'string') throw new Error(`${folder} names no licence.`);
      return { spelt: `${name} ${version}`, license, folder: path.join(root, folder) };
    }),
  );
  return packages.sort((one, other) => (one.spelt < other.spelt ? -1 : 1));
}

/** Each licence's text once, under the packages that come with exactly this text. */
export async function notice() {
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const bundled of await bundledPackages()) {
    const text = await licenceText(bundled);
    texts.set(text, [...(texts.get(text) ?? []), `${bundled.spelt} (${bundled.license})`]);
  }
  const parts = [...texts].map(([text, names]) => `${'='.repeat(78)}\n${names.join('\n')}\n\n${text}`);
  return `artwork-mcp contains parts of these packages, among them letters of fonts.
The packages that are installed beside it bring their licences with them.

${parts.join('\n\n')}\n`;
}

/** @param {{ spelt: string, license: string, folder: string }} bundled */
async function licenceText({ spelt, license, folder }) {
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const [name] = spelt.split(' ');
  if (texts.length === 0) return `The package ${name} has no file of its licence, and names it: ${license}.`;
  return texts
    .map((text) =>
      text
        .replaceAll('\r', '')
        .replace(/[ \t]+$/gm, '')
        .trim(),
    )
    .join('\n\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = path.join(root, 'NOTICE');
  const text = await notice();
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error('NOTICE is not what the build holds: run npm run packages.');
    process.exitCode = 1;
  }
}
