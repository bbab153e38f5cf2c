import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried } from '../support/connected.ts';
import { freePort } from '../support/free-port.ts';
import { seededRandom } from '../support/seeded.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';
import { type Call, callsReading } from './answers/calls.ts';
import { type Kind, kinds, type Path, pathsOf, replaced } from './answers/odd-values.ts';
import { whatIsWrong } from './answers/shape.ts';
import { secrets, startWholeService, type WholeService } from './answers/whole-service.ts';

// FUZZ_ANSWERS: how many answers are spoiled, or `all` (some 4,000, an hour); FUZZ_SEED: which, and how.
const seed = Number(process.env.FUZZ_SEED ?? randomInt(1_000_000));
const wanted = process.env.FUZZ_ANSWERS ?? '900';
/** A list of a million elements costs seconds, so one of that many others is drawn. */
const millionsEvery = wanted === 'all' ? 1 : 30;
const atOnce = 6;
const batchSize = 60;

let service: WholeService;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let redirectUri: string;

beforeAll(async () => {
  process.stdout.write(`FUZZ_SEED=${seed} FUZZ_ANSWERS=${wanted}\n`);
  [service, folder, redirectUri] = await Promise.all([
    startWholeService(),
    temporaryFolder(),
    freePort().then((port) => `http://127.0.0.1:${port}/callback`),
  ]);
  server = await startServer({
    ...hurried,
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: redirectUri,
    ARTWORK_UPLOAD_ROOTS: folder.path,
  });
  // From now on the client checks every structured part against the output schema of its tool.
  await server.client.listTools();
});
afterAll(async () => {
  await server.stop();
  await service.close();
  await folder.remove();
});

const findings: string[] = [];

/** Calls a tool and keeps what is wrong with its result. */
async function check(what: string, { tool, arguments: args }: Call): Promise<CallToolResult | null> {
  const id = z.looseObject({ clientMutationId: z.string() }).safeParse(args).data?.clientMutationId;
  try {
    const result = await server.call(tool, { ...args });
    const wrong = whatIsWrong({ tool, clientMutationId: id }, result, secrets);
    if (wrong !== null) findings.push(`${what} -> ${tool}: ${wrong}`);
    return result;
  } catch (error) {
    // The client's own judgement of the structured part, or a server that is gone.
    findings.push(`${what} -> ${tool}: ${String(error).slice(0, 300)}`);
    return null;
  }
}

/** Milliseconds that the server's process has computed for, on all of its threads; null where no kernel tells. */
function computed(): number | null {
  if (process.platform !== 'linux') return null;
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * A ping that is answered only after a second of the server's own computing found its event loop busy for that
 * long. Other programs that take the processor from it lengthen the clock's time, never this one. A loop that is
 * blocked without computing answers no ping at all, and the test's own limit tells.
 */
async function ping(after: string): Promise<void> {
  const before = computed();
  await server.client.ping({ timeout: 120_000 });
  const now = computed();
  if (before !== null && now !== null && now - before >= 1000) {
    findings.push(`after ${after}: a ping took ${now - before} ms of computing`);
  }
}

const waiting = z.looseObject({ url: z.string() });

/** What a person's browser does. */
async function signIn(): Promise<void> {
  const begun = await check('sign-in', { tool: 'connect_account', arguments: {} });
  const { data } = waiting.safeParse(begun?.structuredContent);
  if (data === undefined) return;
  const asked = new URL(data.url).searchParams;
  service.script.nonce = asked.get('nonce') ?? '';
  const callback = new URL(redirectUri);
  const iss = `${service.baseUrl}/api/auth`;
  callback.search = new URLSearchParams({
    code: secrets[2],
    state: asked.get('state') ?? '',
    iss,
  }).toString();
  const page = await (await fetch(callback)).text();
  const told = secrets.find((secret) => page.includes(secret));
  if (told !== undefined) findings.push('sign-in -> the page shows a secret');
}

interface Case {
  readonly route: string;
  readonly path: Path;
  readonly kind: Kind;
  readonly turn: number;
}

const nameOf = ({ route, path, kind, turn }: Case) => `${route} [${path.join('.')}] ${kind} #${turn}`;

/** Every field of a route's answer in every way; of the lists of a million, the seed's share. */
function casesOf(route: string, random: () => number): Case[] {
  const answer = service.answered.get(route);
  if (answer === undefined) throw new Error(`${route} was never asked.`);
  return pathsOf(answer).flatMap((path) =>
    kinds
      .filter((kind) => kind !== 'million' || Math.floor(random() * millionsEvery) === 0)
      .map((kind) => ({ route, path, kind, turn: Math.floor(random() * 8) })),
  );
}

function shuffled<Element>(elements: readonly Element[], random: () => number): Element[] {
  return elements
    .map((element) => ({ element, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ element }) => element);
}

/** One after the other for each route, since a route is spoiled in one way at a time. */
async function inLanes(cases: readonly Case[], run: (one: Case) => Promise<void>): Promise<void> {
  const routes = new Set(cases.map(({ route }) => route));
  const queue = [...routes].map((route) => cases.filter((one) => one.route === route));
  const worker = async () => {
    for (let lane = queue.shift(); lane !== undefined; lane = queue.shift()) {
      for (const one of lane) await run(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

it('whatever the service answers, every result has its shape and the server goes on', async () => {
  const random = seededRandom(seed);
  const calls = callsReading(await writePoster(folder.path));
  await signIn();
  for (const [route, make] of Object.entries(calls)) {
    for (const call of make()) await check(`${route} as it should be`, call);
    expect(service.answered.has(route), `${route} is asked for`).toBe(true);
  }
  expect(findings).toEqual([]);

  const all = shuffled(
    Object.keys(calls).flatMap((route) => casesOf(route, random)),
    random,
  );
  const drawn = wanted === 'all' ? all : all.slice(0, Number(wanted));
  for (let from = 0; from < drawn.length; from += batchSize) {
    const batch = drawn.slice(from, from + batchSize);
    await inLanes(batch, async (one) => {
      const heal = service.spoil(one.route, (answer) => replaced(answer, one.path, one.kind, one.turn));
      for (const call of calls[one.route]?.() ?? []) await check(nameOf(one), call);
      heal();
    });
    await ping(`${from + batch.length} answers`);
  }
  for (const secret of secrets) expect(server.stderr()).not.toContain(secret);
  process.stdout.write(`${drawn.length} of ${all.length} answers spoiled\n`);
  expect(findings).toEqual([]);
}, 7_200_000);

/** The endpoints of the connection, and what is faulted: a whole life of one for each answer. */
it('whatever the authorization server answers, every result has its shape and the server goes on', async () => {
  const random = seededRandom(seed);
  const routes = ['GET openid-configuration', 'GET oauth-authorization-server', 'POST token', 'POST revoke'];
  // Due at once, so that the first protected call renews it.
  service.script.expiresIn = 0;
  const lives = async (what: string) => {
    await signIn();
    for (const tool of ['account_status', 'list_relationships', 'disconnect_account', 'account_status']) {
      await check(what, { tool, arguments: {} });
    }
  };
  const heal = service.spoil('GET openid-configuration', () => '{}');
  await check('before', { tool: 'disconnect_account', arguments: {} });
  await lives('a connection as it should be');
  heal();
  const idToken = kinds.map((kind, turn): Case => ({ route: 'POST token', path: ['id_token'], kind, turn }));
  const all = shuffled([...routes.flatMap((route) => casesOf(route, random)), ...idToken], random);
  const drawn = wanted === 'all' ? all : all.slice(0, Math.ceil(Number(wanted) / 10));
  for (const one of drawn) {
    // The second address is only asked where the first has none.
    const first = one.route === 'GET oauth-authorization-server';
    const heals = [
      first ? service.spoil('GET openid-configuration', () => '[]') : () => {},
      service.spoil(one.route, (answer) =>
        isMeant(one, answer) ? replaced(answer, one.path, one.kind, one.turn) : JSON.stringify(answer),
      ),
    ];
    await lives(nameOf(one));
    for (const end of heals) end();
    await check(nameOf(one), { tool: 'disconnect_account', arguments: {} });
    await ping(nameOf(one));
  }
  for (const secret of secrets) expect(server.stderr()).not.toContain(secret);
  process.stdout.write(`${drawn.length} of ${all.length} answers to the connection spoiled\n`);
  expect(findings).toEqual([]);
}, 7_200_000);

/** One endpoint answers the exchange of a code and a renewal: an odd turn is about the renewals. */
function isMeant({ route, path, turn }: Case, answer: unknown): boolean {
  if (route !== 'POST token' || path[0] === 'id_token') return true;
  const isExchange = typeof answer === 'object' && answer !== null && 'id_token' in answer;
  return isExchange === (turn % 2 === 0);
}
