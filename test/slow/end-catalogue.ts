import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ensureSandbox } from '../../src/sandbox/launch.ts';
import type { StartedServer } from '../support/client.ts';
import { isRunning } from '../support/is-running.ts';

/** Kills the catalogue of a data directory. */
export async function endCatalogue(home: string): Promise<void> {
  const { pid } = await ensureSandbox({ home });
  process.kill(pid, 'SIGKILL');
  while (isRunning(pid)) await sleep(10);
}

const changes = z.looseObject({
  data: z.array(
    z.looseObject({ setId: z.int().optional(), target: z.looseObject({ id: z.int() }).optional() }),
  ),
});

/** A category to upload artwork to, and a path of artwork that the catalogue has. */
export async function someArtwork(server: StartedServer): Promise<{ category: number; path: string }> {
  const read = async (args: Record<string, unknown>) =>
    changes.parse((await server.call('read_feed', { limit: 10, ...args })).structuredContent).data;
  const [change] = await read({ feed: 'assets', targetKind: 'category' });
  for (const { setId } of await read({ feed: 'sets', kind: 'show_set' })) {
    const { structuredContent } = await server.call('get_set', { kind: 'show_set', id: setId });
    const path = /"poster":"(\/[^"]+)"/.exec(JSON.stringify(structuredContent))?.[1];
    if (path !== undefined && change?.target !== undefined) return { category: change.target.id, path };
  }
  throw new Error('The catalogue has no artwork.');
}
