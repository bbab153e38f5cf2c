// Keeps files in a process of its own: keeper HOME ROOT, then told one owner and file a line; says when each is kept.
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createBlobStore } from '../../src/blobs/blob-store.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { digestOfFile } from '../../src/files/upload-bytes.ts';

const asked = z.object({ owner: z.string(), file: z.string() });
const [, , home = '', root = ''] = process.argv;
const kept = createBlobStore(home);
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { owner, file } = asked.parse(JSON.parse(line));
  const opened = await openUploadFile(file, { configured: [root], host: [] });
  const sha256 = await digestOfFile(opened);
  await kept.keep(owner, opened, sha256);
  await opened.close();
  process.stdout.write(`${sha256}\n`);
}
