// What the build holds parts of, and under which licences.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The packages that the build holds parts of.
 * @param {string} root of the project, built
 * @returns {Promise<{ name: string, version: string, license: string, folder: string }[]>} by name and version
 */
export async function bundledPackages(root) {
  const folders = JSON.parse(await readFile(path.join(root, 'dist', 'bundled.json'), 'utf8'));
  const packages = await Promise.all(
    folders.map(async (/** @type {string} */ folder) => {
      const manifest = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
      const { name, version, license } = manifest;
      if (typeof license !== 'string') throw new Error(`${folder} names no licence.`);
      return { name, version, license, folder: path.join(root, folder) };
    }),
  );
  return packages.sort((one, other) => (spelt(one) < spelt(other) ? -1 : 1));
}

/** @param {{ name: string, version: string }} one */
function spelt({ name, version }) {
  return `${name} ${version}`;
}

/**
 * The notice: each licence's text once, under the packages that come with exactly this text.
 * @param {string} root of the project, built
 */
export async function notice(root) {
  const packages = await bundledPackages(root);
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const bundled of packages) {
    const text = await licenceText(bundled);
    texts.set(text, [...(texts.get(text) ?? []), `${spelt(bundled)} (${bundled.license})`]);
  }
  const parts = [...texts].map(([text, names]) => `${'='.repeat(78)}\n${names.join('\n')}\n\n${text}`);
  return `artwork-mcp contains parts of these packages, among them letters of fonts.
The packages that are installed beside it bring their licences with them.

${parts.join('\n\n')}\n`;
}

/** @param {{ name: string, license: string, folder: string }} bundled */
async function licenceText({ name, license, folder }) {
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
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
