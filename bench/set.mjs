// A Set of 300 pictures through the built server, against the same requests made by curl.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Libsql from 'libsql';
import sharp from 'sharp';
import { openAccount, scopes } from './account.mjs';
import { startCatalogue } from './catalogue.mjs';
import { makeSetWithCurl } from './curl-set.mjs';
import { median, residentMemory, timed } from './measure.mjs';
import { loadParts } from './parts.mjs';
import { startRawClient } from './raw-client.mjs';

const showTitle = 'A Show to Measure';
const cards = 300;
const cardBytes = 2 * 1024 * 1024;
/** Whoever has read so many has met all that there is to do with one. */
const firstCards = 30;
const sampleMs = 50;
const restMs = 6_000;

/**
 * Seconds of the plan, in which every file is read, hashed and decoded; then the median of the ratios of making the Set
 * of it to curl's requests and openssl's digests together. Both send to one embedded catalogue, which decodes and keeps
 * every file of either; ours hashes each before anything is sent, keeps a private copy of it on the disk, and hashes
 * that again when it sends it. Memory of the server in MB: the most while it read the first 30 files, and the most in
 * all rounds.
 */
export async function measureSet(rounds = 3) {
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  const project = await loadParts(`
    export { registerApp, signInAndAnswerConsent, Visitor } from './test/support/sign-in.ts';
    export { dataFolder } from './src/sandbox/process/folder.ts';
    export { transfersAtOnce } from './src/mutations/run/transfers.ts';`);
  const { transfersAtOnce } = project;
  const home = path.join(folder, 'home');
  const pictures = path.join(folder, 'pictures');
  const dataDir = project.dataFolder(home);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const catalogue = await startCatalogue(dataDir);
  try {
    const show = plantShow(dataDir);
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const { baseUrl } = catalogue;
    const account = await openAccount(project, { baseUrl, redirectUri });
    const server = startRawClient({
      ARTWORK_HOME: home,
      ARTWORK_CLIENT_ID: account.clientId,
      ARTWORK_REDIRECT_URI: redirectUri,
      ARTWORK_UPLOAD_ROOTS: pictures,
    });
    let memory;
    try {
      await server.initialize();
      await connect(server, account);
      const files = await writeCards(pictures, show.episodes);
      memory = watchMemory(server);
      const { planSeconds, planId } = await plan(server, show, pictures);
      const parts = {
        ours: () => makeSet(server, show, planId),
        curl: async () => {
          const token = await account.accessToken();
          const set = fieldsOf(show);
          return timed(() => makeSetWithCurl({ baseUrl, token, atOnce: transfersAtOnce, set, cards: files }));
        },
      };
      const samples = [];
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1) {
        const sample = {};
        for (const part of round % 2 === 0 ? ['ours', 'curl'] : ['curl', 'ours']) {
          // Just after it was made, the same Set again is taken for a doubled call. Both have the same rest: the disk
          // gives up what was removed.
          await sleep(restMs);
          sample[part] = await parts[part]();
          await forgetPictures(dataDir);
        }
        if (round > 0) samples.push(sample);
      }
      return {
        rounds,
        cards,
        atOnce: transfersAtOnce,
        planSeconds,
        ratio: median(samples.map(({ ours, curl }) => ours / curl)),
        ...memory.stop(),
      };
    } finally {
      memory?.stop();
      await server.end();
    }
  } finally {
    await catalogue.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** No show of the catalogue's own has as many episodes. */
function plantShow(dataDir) {
  const database = new Libsql(path.join(dataDir, 'catalogue.db'));
  const showId = 990_001;
  const episodes = Array.from({ length: cards }, (_, index) => showId * 1_000 + index);
  database.exec('PRAGMA busy_timeout = 20000; BEGIN IMMEDIATE');
  const insert = database.prepare(
    'INSERT INTO entities (kind, id, title, parent_id, number, facts) VALUES (?, ?, ?, ?, ?, ?)',
  );
  insert.run(['show', showId, showTitle, null, null, '{"overview":"","status":"ended"}']);
  insert.run(['season', showId, 'Season 1', showId, 1, '{}']);
  for (const [index, id] of episodes.entries())
    insert.run(['episode', id, `${index + 1}`, showId, index + 1, '{}']);
  database.exec('COMMIT');
  database.close();
  return { showId, episodes };
}

function fieldsOf({ showId }) {
  const titleBase = `Measured ${randomUUID()}`;
  return { entryTargetKind: 'show', entryTargetId: showId, titleBase, languageCode: 'en', finalised: true };
}

/** Full HD with as much noise as fills the bytes, each file its own number: none can stand for another. */
async function writeCards(folder, episodes) {
  await mkdir(folder);
  const background = { r: 60, g: 80, b: 110 };
  const noise = { type: 'gaussian', mean: 128, sigma: 12 };
  const picture = await sharp({ create: { width: 1920, height: 1080, channels: 3, background, noise } })
    .jpeg({ quality: 100 })
    .toBuffer();
  return Promise.all(
    episodes.map(async (targetId, index) => {
      const filename = `${showTitle} - S01E${String(index + 1).padStart(3, '0')}.jpg`;
      const file = path.join(folder, filename);
      const handle = await open(file, 'w');
      await handle.writeFile(filled(picture, index));
      // Else the disk would write them out while the first Set is made.
      await handle.sync();
      await handle.close();
      return { path: file, filename, length: cardBytes, targetId };
    }),
  );
}

/** The same JPEG with comments, the first of which begins with the number. */
function filled(picture, number) {
  const comments = [];
  let left = cardBytes - picture.length;
  if (left < 8) throw new Error('The picture is larger than a card may be.');
  while (left > 0) {
    // Never so many that too few are left for the head of another.
    const length = left > 65_537 + 4 ? 65_537 : left > 65_537 ? left - 100 : left;
    const comment = Buffer.alloc(length, 0x20);
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(length - 2, 2);
    if (comments.length === 0) comment.writeUInt32BE(number, 4);
    comments.push(comment);
    left -= length;
  }
  return Buffer.concat([picture.subarray(0, 2), ...comments, picture.subarray(2)]);
}

async function connect(server, account) {
  const { url } = await server.call('connect_account', { scopes });
  await (await fetch(await account.agree(url))).body?.cancel();
  const { state } = await server.call('account_status', {});
  if (state !== 'connected') throw new Error(`The account is ${state}.`);
}

async function plan(server, { showId }, folder) {
  let planned;
  const planMs = await timed(async () => {
    const args = { folder, entryTargetKind: 'show', entryTargetId: showId, limit: 1 };
    // A call whose time is over before all files are looked at goes on with the next.
    do planned = await server.call('plan_set', args);
    while (planned.planId === null && planned.next.tool === 'plan_set');
  });
  const { toSend } = planned.counts;
  if (toSend !== cards) throw new Error(`the plan sends ${toSend} files`);
  return { planSeconds: planMs / 1000, planId: planned.planId };
}

/** Milliseconds from the call to the outcome, through every answer of `processing` between them. */
async function makeSet(server, show, planId) {
  const clientMutationId = randomUUID();
  return timed(async () => {
    let answer = await server.call('create_media_set', {
      ...fieldsOf(show),
      clientMutationId,
      expectedUpdatedAt: null,
      planId,
    });
    while (answer.outcome === 'processing') {
      answer = await server.call('get_mutation_status', { clientMutationId });
    }
    if (answer.outcome !== 'succeeded' || answer.counts.succeeded !== cards) {
      throw new Error(`the Set ended ${answer.outcome}: ${JSON.stringify(answer.counts)}`);
    }
  });
}

/** The most resident memory of the server, looked at all the time, until it has read the first files and after. */
function watchMemory(server) {
  let memoryFirst = residentMemory(server.pid);
  let memoryMost = memoryFirst;
  let isFirst = true;
  server.onProgress((message) => {
    if (Number(/^\w+ (\d+) of /.exec(message)?.[1] ?? 0) >= firstCards) isFirst = false;
  });
  const timer = setInterval(() => {
    const now = residentMemory(server.pid);
    memoryMost = Math.max(memoryMost, now);
    if (isFirst) memoryFirst = Math.max(memoryFirst, now);
  }, sampleMs);
  return {
    stop() {
      clearInterval(timer);
      return process.platform === 'linux'
        ? { memoryFirst, memoryMost }
        : { memoryFirst: null, memoryMost: null };
    },
  };
}

/** Every round would leave more than a gigabyte; nothing reads them any more. */
async function forgetPictures(dataDir) {
  const folder = path.join(dataDir, 'uploads');
  await Promise.all((await readdir(folder)).map((name) => rm(path.join(folder, name))));
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
