// Loaded into a program by `--import`: writes down what it sends and receives over HTTP, headers and short bodies,
// to the file ARTWORK_TEST_WIRE, so that a test knows every secret that was ever on the wire.

import { channel } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const file = process.env.ARTWORK_TEST_WIRE ?? '';
const longest = 64 * 1024;

channel('undici:client:sendHeaders').subscribe(({ headers }) => appendFileSync(file, `${headers}\n`));
for (const name of ['bodyChunkSent', 'bodyChunkReceived']) {
  channel(`undici:request:${name}`).subscribe(({ chunk }) => {
    if (chunk.length <= longest) appendFileSync(file, Buffer.concat([Buffer.from(chunk), Buffer.from('\n')]));
  });
}
