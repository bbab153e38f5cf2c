// Writes each tool's public definition to test/surface/, one file a tool: a change of what hosts see is a diff.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';

const definitions = JSON.parse(await readFile(new URL('../dist/definitions.json', import.meta.url), 'utf8'));
const folder = new URL('../test/surface/', import.meta.url);

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const { toolset, definition } of definitions.tools) {
  const text = `${JSON.stringify({ toolset, ...definition }, null, 2)}\n`;
  await writeFile(new URL(`${definition.name}.json`, folder), text);
}
console.log(`${definitions.tools.length} tools written to test/surface/`);
