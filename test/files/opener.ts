// Opens files as another user: told one a line, says what came of it.
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ArtworkError } from '../../src/errors.ts';
import { openUploadFile } from '../../src/files/open-file.ts';

const asked = z.object({ file: z.string(), root: z.string() });
// Only now, since that user may not be able to read the program.
if (process.argv[2] !== undefined) process.setuid?.(Number(process.argv[2]));
for await (const line of createInterface({ input: process.stdin })) {
  const { file, root } = asked.parse(JSON.parse(line));
  let said: unknown;
  try {
    const opened = await openUploadFile(file, { configured: [root], host: [] });
    said = { length: opened.length };
    await opened.close();
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    said = { category: error.category, details: error.details, message: error.message };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
