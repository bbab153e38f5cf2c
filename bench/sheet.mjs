import { once } from 'node:events';
import { createServer } from 'node:http';
import sharp from 'sharp';
import { Agent, request } from 'undici';
import { median, timed } from './measure.mjs';
import { startRawClient } from './raw-client.mjs';

const cards = 24;
const rounds = 9;
const [width, height] = [256, 144];
const columns = 6;

/**
 * A contact sheet of 24 title cards of 1920 × 1080 pixels, beyond fetching them, against a plain script of sharp that
 * resizes and composes the same files. Milliseconds, medians of pairs in turn.
 */
export async function measureSheet(home) {
  const files = await Promise.all(Array.from({ length: cards }, (_, at) => drawCard(at)));
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.end(files[Number(/(\d+)\.jpg$/.exec(url)?.[1])]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const client = startRawClient({ ARTWORK_HOME: home, ARTWORK_BASE_URL: baseUrl });
  const dispatcher = new Agent({ pipelining: 1, connections: 4 });
  await client.initialize();
  const paths = files.map((_, at) => `/artwork/${at}.jpg`);
  const fetchAll = async () => {
    const bodies = paths.map(async (path) =>
      (await request(baseUrl + path, { dispatcher })).body.arrayBuffer(),
    );
    return await Promise.all(bodies);
  };
  const items = paths.map((path) => ({ path, slot: 'titlecard' }));
  const sheet = async () => {
    const { data } = await client.call('view_artwork', { items });
    if (data.some(({ error }) => error !== undefined)) throw new Error('a picture is not shown');
  };
  const samples = [];
  for (let round = 0; round <= rounds; round += 1) {
    const plainMs = await timed(() => plainSheet(files));
    const fetchMs = await timed(fetchAll);
    const callMs = await timed(sheet);
    // The first round loads the decoders.
    if (round > 0) samples.push({ plainMs, sheetMs: callMs - fetchMs });
  }
  await client.end();
  await dispatcher.close();
  server.close();
  return {
    ...{ cards, rounds },
    sheetMs: median(samples.map(({ sheetMs }) => sheetMs)),
    plainMs: median(samples.map(({ plainMs }) => plainMs)),
    ratio: median(samples.map(({ sheetMs, plainMs }) => sheetMs / plainMs)),
  };
}

/** Soft noise, which has about as many bytes as a frame of a film. */
async function drawCard(at) {
  const noise = { type: 'gaussian', mean: 90 + at * 5, sigma: 60 };
  return sharp({ create: { width: 1920, height: 1080, channels: 3, noise, background: '#000' } })
    .blur(2)
    .jpeg({ quality: 90 })
    .toBuffer();
}

async function plainSheet(files) {
  const tiles = await Promise.all(files.map((file) => sharp(file).resize(width, height).toBuffer()));
  const size = { width: columns * width, height: Math.ceil(cards / columns) * height };
  return sharp({ create: { ...size, channels: 3, background: '#26262a' } })
    .composite(
      tiles.map((input, at) => ({
        input,
        left: (at % columns) * width,
        top: Math.floor(at / columns) * height,
      })),
    )
    .jpeg({ quality: 84 })
    .toBuffer();
}
