import { randomInt, randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/sandbox/database.ts';
import { dataFolder } from '../../src/sandbox/launch.ts';
import { allScopes, freePort, type Household, startHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** How often a server is killed; ARTWORK_TEST_KILLS=100 for the long run. */
const kills = Number(process.env.ARTWORK_TEST_KILLS ?? '10');
const cards = 40;

let household: Household;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let target: { showId: number; episodes: number[] };

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const app = await household.register({ type: 'public', redirectUri, scopes: allScopes });
  env = { ...app, ARTWORK_UPLOAD_ROOTS: pictures.path };
  const server = await startServer(env);
  const begun = z.object({ url: z.string() }).parse((await server.call('connect_account')).structuredContent);
  await fetch(await household.agree(begun.url));
  target = await longShow(server);
  await server.stop();
});
afterAll(async () => {
  await household.remove();
  await pictures.remove();
});

const episodes = z.object({
  data: z.array(z.looseObject({ id: z.int(), show: z.object({ id: z.int() }) })),
  nextCursor: z.string().nullable(),
});

/** The first show of the catalogue with enough episodes. */
async function longShow(server: StartedServer) {
  const found = new Map<number, number[]>();
  for (let cursor: string | undefined; ; ) {
    const page = episodes.parse(
      (await server.call('list_episodes', { limit: 200, ...(cursor === undefined ? {} : { cursor }) }))
        .structuredContent,
    );
    for (const { id, show } of page.data) {
      const ids = [...(found.get(show.id) ?? []), id];
      found.set(show.id, ids);
      if (ids.length === cards) return { showId: show.id, episodes: ids };
    }
    if (page.nextCursor === null) throw new Error('No show is long enough.');
    cursor = page.nextCursor;
  }
}

const answer = z.looseObject({
  outcome: z.string(),
  counts: z.record(z.string(), z.int()).optional(),
  next: z
    .object({ tool: z.string().optional(), arguments: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});

function readAnswer(result: CallToolResult) {
  if (result.isError !== true) return answer.parse({ outcome: 'none', ...result.structuredContent });
  const [text] = result.content;
  return answer.parse(text?.type === 'text' ? { outcome: 'none', ...JSON.parse(text.text) } : null);
}

async function folderOfCards(name: string): Promise<string[]> {
  const folder = path.join(pictures.path, name);
  await mkdir(folder);
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) };
  return Promise.all(
    target.episodes.map(async (_, index) => {
      const file = path.join(folder, `card ${index}.png`);
      // Noise does not compress: the files are large enough to be killed in the middle of one.
      const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 + index / 10 };
      await sharp({ create: { width: 640, height: 360, channels: 3, background, noise } })
        .png()
        .toFile(file);
      return file;
    }),
  );
}

/** What the catalogue applied under an identity. */
function applied(clientMutationId: string): Record<string, number> {
  const database = openDatabase(dataFolder(household.home), () => {
    throw new Error('The catalogue is not filled.');
  });
  try {
    const rows = database.all(
      'SELECT operation, COUNT(*) AS times FROM effects WHERE client_mutation_id = ? GROUP BY operation',
      clientMutationId,
    );
    return Object.fromEntries(rows.map((row) => [row.text('operation'), row.integer('times')]));
  } finally {
    database.close();
  }
}

/** Works on a call until so many files have arrived, or so long, and is killed; false: the call ended before. */
async function killDuring(
  tool: string,
  args: Record<string, unknown>,
  { files, withinMs }: { files: number; withinMs: number },
): Promise<boolean> {
  const server = await startServer(env);
  let kill = () => {};
  const killed = new Promise<true>((resolve) => {
    kill = () => {
      process.kill(server.pid, 'SIGKILL');
      resolve(true);
    };
  });
  const timer = setTimeout(() => kill(), withinMs);
  const onprogress = ({ message = '' }: { message?: string | undefined }) => {
    if (Number(/^(\d+) of /.exec(message)?.[1] ?? -1) >= files) kill();
  };
  const ended = server.client.callTool({ name: tool, arguments: args }, undefined, { onprogress }).then(
    () => false,
    // Its server is gone.
    () => true,
  );
  const result = await Promise.race([killed, ended]);
  clearTimeout(timer);
  await ended;
  await server.stop();
  return result;
}

it(
  `a Set of ${cards} is finished whole, whenever its servers are killed: ${kills} times`,
  async () => {
    let killed = 0;
    let made = 0;
    let early = 0;
    const reached: string[] = [];
    while (killed < kills) {
      made += 1;
      const clientMutationId = randomUUID();
      const files = await folderOfCards(`set ${made}`);
      const args = {
        clientMutationId,
        expectedUpdatedAt: null,
        entryTargetKind: 'show',
        entryTargetId: target.showId,
        titleBase: `Killed and finished ${made}`,
        languageCode: 'en',
        finalised: true,
        declaredFiles: files.map((file, index) => ({
          file,
          targetKind: 'episode',
          targetId: target.episodes[index],
          slot: 'titlecard',
        })),
      };
      const resume = { clientMutationId, expectedUpdatedAt: null };
      let claimed = false;
      let arrived = 0;
      for (let more = 4; more > 0 && killed < kills; more -= 1) {
        // Anywhere in what is left of it, or before the first transfer.
        const files = randomInt(4) === 0 ? cards : arrived + randomInt(cards - arrived + 1);
        const moment = { files, withinMs: files === cards ? randomInt(3_000) : 20_000 };
        const ended = claimed
          ? await killDuring('resume_mutation', resume, moment)
          : await killDuring('create_media_set', args, moment);
        if (!ended) break;
        killed += 1;
        const effects = applied(clientMutationId);
        claimed ||= effects['set.create.admit'] === 1;
        if (!claimed) early += 1;
        arrived = effects['submission.file'] ?? 0;
        reached.push(`${arrived}${effects['submission.complete'] ? '!' : ''}`);
      }
      const last = await startServer(env);
      const status = readAnswer(await last.call('get_mutation_status', { clientMutationId }));
      let end = status;
      for (let calls = 0; end.next?.tool !== undefined && calls < 10; calls += 1) {
        end = readAnswer(await last.call(end.next.tool, end.next.arguments));
      }
      // Killed before it was claimed, or before what was kept was noted.
      if (end.outcome === 'none' || end.outcome === 'not_sent')
        end = readAnswer(await last.call('create_media_set', args));
      expect(end).toMatchObject({ outcome: 'succeeded', counts: { succeeded: cards } });
      expect(applied(clientMutationId)).toMatchObject({
        'set.create.admit': 1,
        'submission.file': cards,
        'submission.complete': 1,
        'set.create': 1,
      });
      await last.stop();
    }
    // What a server kept that was killed before it could claim is swept a day later.
    const kept = await readdir(path.join(household.home, 'kept'));
    expect(kept.length).toBeLessThanOrEqual(early);
    process.stdout.write(
      `${killed} kills, ${made} Sets; files that had arrived at each: ${reached.join(' ')}\n`,
    );
  },
  60_000 + kills * 12_000,
);
