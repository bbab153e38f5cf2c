// What the index of titles costs, over a generated catalogue of a million episodes:
//   node bench/filling.mjs [--scale 1] [--seconds 60]
// What takes longer than so many seconds is done in part, and the part is told.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleParts } from './bundle-parts.mjs';
import { startCatalogue } from './catalogue.mjs';
import { loadGenerator } from './generate.mjs';
import { median, mostResidentMemory, residentMemory } from './measure.mjs';
import { cli, startRawClient } from './raw-client.mjs';

const self = fileURLToPath(import.meta.url);
const root = path.dirname(path.dirname(self));
const log = { error() {}, warn() {}, info() {}, debug() {} };
/** Where nothing is: for what reads and writes the index alone. */
const nowhere = 'http://127.0.0.1:9';

/**
 * @param scale of a million episodes, 50,000 films and 200,000 feed events
 * @param seconds that each reading and the learning may take, the latter five times as long
 */
export async function measureFilling({ scale = 1, seconds = 60 } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-bench-'));
  try {
    // The embedded catalogue of this home: any other is read once a second, however fast it answers.
    const own = path.join(folder, 'own');
    await mkdir(own, { mode: 0o700 });
    const dataDir = path.join(own, 'sandbox-1');
    const generated = await generate(dataDir, scale);
    const catalogue = await startCatalogue(dataDir);
    let byHand;
    let unattended;
    try {
      byHand = await measureByHand(own, seconds);
      unattended = await measureUnattended(path.join(folder, 'unattended'), catalogue.baseUrl, seconds);
    } finally {
      await catalogue.stop();
    }
    const home = path.join(folder, 'searched');
    const learnt = await measureLearning(home, dataDir, 5 * seconds);
    const start = await measureStart(path.join(folder, 'empty'), home);
    return { generated, byHand, unattended, learnt, start };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function generate(dataDir, factor) {
  const { generateCatalogue, wholeScale, unload } = await loadGenerator();
  try {
    const since = performance.now();
    const scale = Object.fromEntries(
      Object.entries(wholeScale).map(([what, count]) => [what, Math.round(count * factor)]),
    );
    const { counts, bytes } = await generateCatalogue(dataDir, { scale, seed: 'million', now: new Date() });
    return { ...counts, bytes, seconds: (performance.now() - since) / 1000 };
  } finally {
    await unload();
  }
}

/** `artwork-mcp index` for so long, or to its end. */
async function measureByHand(home, seconds) {
  const env = { PATH: process.env.PATH, ARTWORK_HOME: home };
  const since = performance.now();
  const child = spawn(process.execPath, [cli, 'index'], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const memory = await memoryOf(child.pid, seconds, ended);
  const took = (performance.now() - since) / 1000;
  child.kill('SIGINT');
  await ended;
  const status = await statusOf(env);
  const pages = Object.values(status.lists).reduce((sum, list) => sum + list.pages, 0);
  const allPages = Object.values(status.lists).reduce(
    (sum, list) => sum + (list.totalPages ?? list.pages),
    0,
  );
  return {
    seconds: took,
    titles: status.titles,
    pages,
    allPages,
    left: status.left,
    isDone: status.complete,
    memory,
  };
}

async function statusOf(env) {
  const child = spawn(process.execPath, [cli, 'index', '--status', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

/** A server that reads on its own, from its first find_titles on. */
async function measureUnattended(home, baseUrl, seconds) {
  const client = startRawClient({
    ARTWORK_HOME: home,
    ARTWORK_BASE_URL: baseUrl,
    ARTWORK_CLIENT_ID: 'artwork-mcp',
  });
  await client.initialize();
  await client.call('find_titles', { query: 'the lantern' });
  const before = residentMemory(client.pid);
  const memory = await memoryOf(client.pid, seconds, new Promise(() => {}));
  const times = [];
  for (let round = 0; round < 20; round += 1) {
    const since = performance.now();
    await client.call('find_titles', { query: 'the lantern' });
    times.push(performance.now() - since);
  }
  const { index } = await client.call('find_titles', { query: 'the lantern' });
  await client.end();
  return { seconds, before, memory, titles: index.titles, callMs: median(times) };
}

/**
 * Resident memory of a process within so many seconds, or until it ends: mostly, and at most since it was started,
 * which the system keeps count of, since what is looked at four times a second misses what is taken for a moment. MB
 */
async function memoryOf(pid, seconds, ended) {
  const seen = [];
  let most = 0;
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  for (const until = performance.now() + seconds * 1000; !isOver && performance.now() < until; ) {
    await Promise.race([sleep(250), ended]);
    if (isOver) break;
    seen.push(residentMemory(pid) ?? 0);
    most = Math.max(most, mostResidentMemory(pid) ?? 0);
  }
  return { usual: median(seen), most };
}

/** Bytes of the index of a home, its log included. */
async function bytesOfIndex(home) {
  const files = await readdir(path.join(home, 'titles'));
  const sizes = await Promise.all(files.map((file) => stat(path.join(home, 'titles', file))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

const parts = `
  export { createTitleIndex } from './src/curation/find/open.ts';
  export { sightingsOf } from './src/curation/find/sightings.ts';
`;

/** Everything that the pages of the catalogue show, learnt straight from its database; then searches. */
async function measureLearning(home, dataDir, seconds) {
  const program = path.join(root, 'test-output', `bench-filling-${process.pid}.mjs`);
  await bundleParts(parts, program);
  try {
    const { createTitleIndex, sightingsOf } = await import(pathToFileURL(program).href);
    const index = createTitleIndex({ home, service: nowhere, user: 'default', log });
    const since = performance.now();
    const isOver = () => (performance.now() - since) / 1000 >= seconds;
    let names = [];
    let part = 0;
    const { episodes, films } = readCatalogue(dataDir);
    for (const { share, reading } of episodes) {
      if (isOver()) break;
      const sightings = sightingsOf(reading, 'default');
      await index.learn([...new Map(sightings.map((one) => [JSON.stringify(one), one])).values()]);
      names = sample(
        names,
        sightings.map(({ name }) => name).filter((name) => name !== undefined),
      );
      part = share;
    }
    const learnt = (performance.now() - since) / 1000;
    for (const reading of films) {
      await index.learn(sightingsOf(reading, 'default'));
      names = sample(names, [reading.record.movies[0].title]);
      if ((performance.now() - since) / 1000 > seconds * 1.5) break;
    }
    const took = (performance.now() - since) / 1000;
    const { titles } = await index.seen();
    const search = await measureSearch(index, names);
    await index.close();
    const bytesPerTitle = (await bytesOfIndex(home)) / titles;
    return { titles, part, seconds: took, episodeSeconds: learnt, bytesPerTitle, search };
  } finally {
    await rm(program, { force: true });
  }
}

/** Pages as the service shows them, from the catalogue's own tables. */
function readCatalogue(dataDir) {
  const Libsql = createRequire(import.meta.url)('libsql');
  const database = new Libsql(path.join(dataDir, 'catalogue.db'));
  const { total } = database.prepare("SELECT count(*) AS total FROM entities WHERE kind = 'episode'").get();
  const page = database.prepare(
    `SELECT e.id, e.title, e.date AS air_date, e.number AS episode_number, e.parent_id AS season_id,
       s.number AS season_number, s.title AS season_title, w.id AS show_id, w.title AS show_title
     FROM entities e
       JOIN entities s ON s.kind = 'season' AND s.id = e.parent_id
       JOIN entities w ON w.kind = 'show' AND w.id = s.parent_id
     WHERE e.kind = 'episode' AND e.id > ? ORDER BY e.id LIMIT 100`,
  );
  function* episodes() {
    for (let [after, done] = [0, 0]; ; ) {
      const rows = page.all([after]);
      if (rows.length === 0) return;
      after = rows.at(-1).id;
      done += rows.length;
      yield { share: done / total, reading: { of: 'episodes', items: rows.map(episodeOf) } };
    }
  }
  function* films() {
    const some = database.prepare(
      "SELECT id, title, date AS release_date FROM entities WHERE kind = 'movie' AND id > ? ORDER BY id LIMIT 100",
    );
    for (let after = 0; ; ) {
      const rows = some.all([after]);
      if (rows.length === 0) return;
      after = rows.at(-1).id;
      const movies = rows.map((row) => ({
        id: row.id,
        kind: 'movie',
        title: row.title,
        releaseDate: row.release_date,
      }));
      yield {
        of: 'entity',
        kind: 'collection',
        record: { id: after, kind: 'collection', title: 'All', movies },
      };
    }
  }
  return { episodes: episodes(), films: films() };
}

function episodeOf(row) {
  return {
    id: row.id,
    title: row.title,
    year: Number(row.air_date?.slice(0, 4)),
    seasonNumber: row.season_number,
    episodeNumber: row.episode_number,
    show: { id: row.show_id, kind: 'show', title: row.show_title },
    season: { id: row.season_id, kind: 'season', title: row.season_title, seasonNumber: row.season_number },
  };
}

const mostNames = 2_000;

/** A few of each page, so that all of the catalogue is asked for. */
function sample(names, more) {
  const picked = [...names, ...more.filter((_, at) => at % 37 === 0)];
  return picked.length <= mostNames ? picked : picked.filter((_, at) => at % 2 === 0);
}

const searches = 1_000;

/** Names as people say them: whole, in part, misspelt, out of order. */
async function measureSearch(index, names) {
  const times = [];
  let found = 0;
  for (let at = -50; at < searches; at += 1) {
    const name = names[Math.abs(at * 7919) % names.length];
    const query = said(name, Math.abs(at) % 4);
    const since = performance.now();
    const { hits } = await index.search({ query, offset: 0, limit: 25 });
    if (at < 0) continue;
    times.push(performance.now() - since);
    if (hits.some((hit) => hit.name === name)) found += 1;
  }
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { searches, p50: at(0.5), p99: at(0.99), found: found / searches };
}

function said(name, how) {
  const words = name.split(' ');
  if (how === 1) return words.slice(-2).join(' ').toLowerCase();
  if (how === 2 && name.length > 6) return name.slice(0, 4) + name.slice(5);
  if (how === 3) return [...words].reverse().join(' ');
  return name;
}

const startRounds = 11;

/** The start of the server beside a full index against one without, in turn. */
async function measureStart(empty, full) {
  const ratios = [];
  for (let round = 0; round <= startRounds; round += 1) {
    const order = round % 2 === 0 ? [empty, full] : [full, empty];
    const times = new Map();
    for (const home of order) times.set(home, await startOfServer(home));
    // The first round warms the file cache.
    if (round > 0) ratios.push(times.get(full) / times.get(empty));
  }
  return { rounds: startRounds, ratio: median(ratios) };
}

async function startOfServer(home) {
  const since = performance.now();
  const client = startRawClient({ ARTWORK_HOME: home, ARTWORK_BASE_URL: nowhere });
  await client.initialize();
  await client.request('tools/list', {});
  const took = performance.now() - since;
  await client.end();
  return took;
}

/** Rows of the table of figures. */
export function fillingRows({ generated, byHand, unattended, learnt, start }) {
  const count = (number) => Math.round(number).toLocaleString('en');
  const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
  const told = ({ usual, most }) =>
    `memory ${usual.toFixed(0)} MB (median), at most ${most.toFixed(0)} MB since it was started`;
  // Of the records nobody knows how many there are before all pages are read.
  const part = byHand.isDone
    ? 'all of it'
    : `not all of it: ${percent(byHand.pages / byHand.allPages)} of its pages, ${count(byHand.left)} records known and left,`;
  const whole = `${count(generated.episodes)} episodes, ${count(generated.films)} films and ${count(generated.events)} feed events`;
  return [
    [
      `\`artwork-mcp index\` over an embedded catalogue of ${whole}`,
      `${count(byHand.pages / byHand.seconds)} of the service's pages a second (${part} in ${count(byHand.seconds)} s), ${count(byHand.titles)} titles so far; ${told(byHand.memory)}`,
      '',
    ],
    [
      'A server that reads the same catalogue on its own, one request a second',
      `memory ${unattended.before.toFixed(0)} MB as it begins; in ${count(unattended.seconds)} s ${told(unattended.memory)}; \`find_titles\` meanwhile ${unattended.callMs.toFixed(1)} ms (median of 20)`,
      '≤ 90 MB',
    ],
    [
      'The index of its titles',
      `${count(learnt.titles / learnt.seconds)} titles a second written, ${count(learnt.bytesPerTitle)} bytes each (${count(learnt.titles)} titles: ${percent(learnt.part)} of the episodes)`,
      '',
    ],
    [
      `A search among these ${count(learnt.titles)}`,
      `${learnt.search.p50.toFixed(1)} ms, 99 of 100 within ${learnt.search.p99.toFixed(1)} ms (${learnt.search.searches} names: whole, in part, misspelt, out of order)`,
      '3 ms, 15 ms',
    ],
    [
      'Start of the server beside that index, against one without',
      `${start.ratio.toFixed(2)} × (median of ${start.rounds} pairs)`,
      'not slowed',
    ],
  ];
}

if (process.argv[1] === self) {
  const { values } = parseArgs({
    options: { scale: { type: 'string', default: '1' }, seconds: { type: 'string', default: '60' } },
  });
  const measured = await measureFilling({ scale: Number(values.scale), seconds: Number(values.seconds) });
  console.log(
    `generated in ${measured.generated.seconds.toFixed(0)} s, ${(measured.generated.bytes / 1_048_576).toFixed(0)} MiB`,
  );
  for (const row of fillingRows(measured)) console.log(`| ${row.join(' | ')} |`);
  console.log(
    `${(measured.learnt.search.found * 100).toFixed(0)} % of the searches found a title of that name`,
  );
}
