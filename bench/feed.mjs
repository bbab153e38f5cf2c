import { once } from 'node:events';
import { createServer } from 'node:http';
import { median, residentMemory } from './measure.mjs';
import { startRawClient } from './raw-client.mjs';

const events = 20_000;
const pageSize = 100;
const readings = 8;

/**
 * Reads a feed of 20,000 events through the server to its end, several times. The memory of a process that collects its
 * garbage now and then goes up and down: whether it grows, the medians of the earlier and of the later readings show.
 */
export async function measureFeed(home) {
  const service = await startFeedService();
  const client = startRawClient({ ARTWORK_HOME: home, ARTWORK_BASE_URL: service.baseUrl });
  await client.initialize();
  const samples = [];
  for (let reading = 0; reading < readings; reading += 1) {
    const since = performance.now();
    const read = await readFeed(client);
    const seconds = (performance.now() - since) / 1000;
    if (read !== events) throw new Error(`${read} of ${events} events came through`);
    samples.push({ seconds, memory: residentMemory(client.pid) });
  }
  await client.end();
  await service.close();
  const memories = samples.map(({ memory }) => memory);
  const medianMemory = (from, to) => (memories.includes(null) ? null : median(memories.slice(from, to)));
  return {
    events,
    readings,
    pagesPerSecond: events / pageSize / median(samples.map(({ seconds }) => seconds)),
    memoryEarlier: medianMemory(0, readings / 2),
    memoryLater: medianMemory(readings / 2),
  };
}

async function readFeed(client) {
  let read = 0;
  let cursor;
  do {
    const answer = await client.call('read_feed', {
      feed: 'assets',
      limit: 200,
      ...(cursor ? { cursor } : {}),
    });
    read += answer.data.length;
    cursor = answer.nextCursor;
  } while (cursor !== null);
  return read;
}

/** As lean as can be, so that the server's own time shows. */
async function startFeedService() {
  const snapshot = '7d2f1c1e-3b57-4c0a-9f0e-2a8a5d8e4b11';
  const totalPages = events / pageSize;
  const bodies = Array.from({ length: totalPages }, (_, index) => {
    const page = index + 1;
    const nextPage = page === totalPages ? null : `/feeds/assets/pages/${snapshot}/${page + 1}`;
    const data = Array.from({ length: pageSize }, (_, item) => eventOf(index * pageSize + item));
    return JSON.stringify({ data, meta: { snapshot, page, totalPages, nextPage } });
  });
  const server = createServer((request, response) => {
    const page = request.url === '/feeds/assets' ? 1 : Number(request.url.split('/').at(-1));
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(bodies[page - 1]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function eventOf(number) {
  const uuid = (kind) => `${number.toString(16).padStart(8, '0')}-${kind}-4000-8000-000000000000`;
  return {
    assetId: uuid('0001'),
    kind: 'asset',
    slot: 'poster',
    target: { id: number % 977, kind: 'movie' },
    changeType: number % 3 === 0 ? 'updated' : 'added',
    changedAt: new Date(1_790_000_000_000 - number * 60_000).toISOString(),
    previousAssetId: number % 3 === 0 ? uuid('0002') : null,
    replacements: [],
  };
}
