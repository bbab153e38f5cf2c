import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { cli } from './raw-client.mjs';

/** The embedded catalogue as a person runs it, a show of it to ask for, and the seconds to its first answer. */
export async function startCatalogue(dataDir) {
  const since = performance.now();
  const child = spawn(process.execPath, [cli, 'sandbox', '--data', dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const baseUrl = await new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const address = /answers at (http\S+);/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error('The embedded catalogue ended while it started.')));
  });
  const { body } = await request(`${baseUrl}/episodes`);
  const { data } = await body.json();
  const firstAnswerSeconds = (performance.now() - since) / 1000;
  return {
    baseUrl,
    showId: data[0].show.id,
    firstAnswerSeconds,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
