import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { heartbeatEvery } from '../../src/storage/lease.ts';

const preload = pathToFileURL(path.join(import.meta.dirname, 'die-when-claimed.mjs')).href;

/** The environment of a server that ends as SIGKILL does once it has claimed a change and sent nothing of it. */
export const diesWhenClaimed = {
  NODE_OPTIONS: `--import=${preload}`,
  ARTWORK_TEST_DIE_AT: String(heartbeatEvery),
};
