// Loaded into a server by `--import`: of a file no more than its first bytes is read before the file that SLOW_DISK_UNTIL
// names is there, as on a network drive that does not answer.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const firstBytes = 16;
const own = await open(fileURLToPath(import.meta.url));
const { read } = Object.getPrototypeOf(own);
Object.getPrototypeOf(own).read = async function (buffer, offset, length, position) {
  const until = process.env.SLOW_DISK_UNTIL;
  while (length > firstBytes && until !== undefined && !existsSync(until)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return read.call(this, buffer, offset, length, position);
};
await own.close();
