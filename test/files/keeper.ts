// Keeps files in a process of its own: keeper HOME ROOT, then told one owner and file a line; says when each is kept.
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createBlobStore } from '../../src/blobs/blob-store.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { hashFile } from '../../src/files/upload-bytes.ts';

const asked = z.object({ owner: z.string(), file: z.string() });
const [, , home = '', root = ''] = process.argv;
const kept = createBlobStore(home);
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { owner, file } = asked.parse(JSON.parse(line));
  const bytes = await hashFile(await openUploadFile(file, { configured: [root], host: [] }));
  await kept.keep(owner, bytes);
  await bytes.close();
  process.stdout.write(`${bytes.sha256}\n`);
}
