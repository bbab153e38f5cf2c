import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { allScopes } from '../../src/settings.ts';
import { freePort } from '../support/free-port.ts';
import { isRunning } from '../support/is-running.ts';
import { registerApp, signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';
import { type Host, isNamed } from './hosts.ts';
import {
  type Args,
  type Call,
  dig,
  listAt,
  type ModelRequest,
  type Reply,
  type SeenResult,
  startModel,
} from './model.ts';

/** What went over stdio between a host and the servers that it started, the first one first (wire.mjs). */
export interface Wire {
  readonly frames: readonly { readonly from: unknown; readonly message: unknown }[];
  readonly pids: readonly number[];
}

/** A result as the server sent it. */
export interface SentResult {
  readonly tool: string;
  readonly isError: boolean;
  readonly text: string;
  readonly images: readonly string[];
}

/** What one step came to, on both sides of the host; `sent` is null where the call never reached the server. */
export interface Played {
  readonly step: string;
  readonly sent: SentResult | null;
  readonly seen: SeenResult;
}

export interface Performance {
  readonly host: Host;
  readonly wire: Wire;
  readonly played: readonly Played[];
  /** The first request to the model that had tools. */
  readonly first: ModelRequest | null;
  /** Why it ended before its last step. */
  readonly stuck: string | null;
  /** Servers that ran on after the host had ended. */
  readonly left: number;
}

function readWire(file: string): Wire {
  // A line that is being written is left for the next reading.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const notes: unknown[] = lines.map((line) => JSON.parse(line));
  return {
    frames: notes.flatMap((note) => {
      const line = dig(note, 'line');
      return typeof line === 'string' ? [{ from: dig(note, 'from'), message: JSON.parse(line) }] : [];
    }),
    pids: [...new Set(notes.map((note) => Number(dig(note, 'pid'))))],
  };
}

/** The answered calls of tools, in the order of their answers. */
function resultsOn({ frames }: Wire): SentResult[] {
  const asked = new Map<unknown, string>();
  return frames.flatMap(({ from, message }) => {
    const id = dig(message, 'id');
    if (from === 'host' && dig(message, 'method') === 'tools/call')
      asked.set(id, String(dig(message, 'params', 'name')));
    const result = dig(message, 'result');
    const tool = from === 'server' && result !== undefined ? asked.get(id) : undefined;
    if (tool === undefined) return [];
    asked.delete(id);
    // The host has to answer first, and then calls once more.
    if (dig(result, 'resultType') === 'input_required') return [];
    const content = listAt(result, 'content');
    const text = content.map((block) => dig(block, 'text') ?? '').join('\n');
    const images = content
      .filter((block) => dig(block, 'type') === 'image')
      .map((block) => String(dig(block, 'data')));
    return [{ tool, isError: dig(result, 'isError') === true, text, images }];
  });
}

/** The tools as the server listed them. */
export function toolsOn({ frames }: Wire): readonly unknown[] {
  const lists = frames.map(({ from, message }) =>
    from === 'server' ? listAt(message, 'result', 'tools') : [],
  );
  return lists.find((list) => list.length > 0) ?? [];
}

interface Step {
  readonly name: string;
  readonly tool: string;
  args(told: (step: string) => unknown, workspace: string): Args;
}

const picture = 'dawn.png';
const ofKind = (told: unknown, kind: string, ...at: string[]) =>
  listAt(told, 'data')
    .map((one) => dig(one, ...at) ?? one)
    .find((one) => dig(one, 'kind') === kind);
const show = (told: (step: string) => unknown) => dig(ofKind(told('search'), 'show'), 'id');

/** What the model does, in this order. */
export const steps: readonly Step[] = [
  { name: 'search', tool: 'find_titles', args: () => ({ query: 'breaking bad' }) },
  { name: 'read', tool: 'get_entity', args: (told) => ({ kind: 'show', id: show(told) }) },
  {
    name: 'pictures',
    tool: 'view_artwork',
    args: (told) => ({ items: [{ kind: 'show', id: show(told), slot: 'posters' }] }),
  },
  { name: 'error', tool: 'get_set', args: () => ({ kind: 'movie_set', id: 999_999_999 }) },
  { name: 'long', tool: 'list_episodes', args: () => ({ limit: 200 }) },
  { name: 'sign-in', tool: 'connect_account', args: () => ({}) },
  { name: 'account', tool: 'account_status', args: () => ({}) },
  { name: 'destination', tool: 'find_upload_destinations', args: () => ({ kind: 'media_set' }) },
  {
    name: 'upload',
    tool: 'upload_asset',
    args: (told, workspace) => ({
      ...{ clientMutationId: randomUUID(), expectedUpdatedAt: 'none', operation: 'add', languageCode: 'en' },
      ...{
        slot: 'poster',
        targetKind: 'movie',
        targetId: dig(ofKind(told('destination'), 'movie', 'target'), 'id'),
      },
      file: path.join(workspace, picture),
    }),
  },
];

/** Stands in what the person says, and tells the conversation from what a host asks its model beside. */
const marker = 'Play through the artwork catalogue';

/** The model's side: one call after the other, each made once, whatever the host asks beside and however often. */
function converse(host: Host, workspace: string, wire: () => Wire, meet: (one: Played) => Promise<void>) {
  const calls: { readonly reply: Call; readonly step: Step | null }[] = [];
  const played: Played[] = [];
  const state: { first: ModelRequest | null; stuck: string | null } = { first: null, stuck: null };
  let [next, taken, searched] = [0, 0, -1];
  const told = (name: string): unknown =>
    JSON.parse(played.find(({ step }) => step === name)?.sent?.text ?? 'null');

  const following = (request: ModelRequest): { readonly reply: Call; readonly step: Step | null } | null => {
    const step = steps[next];
    if (step === undefined) return null;
    const { tool } = step;
    const callId = `call_${calls.length + 1}`;
    const reply = (host.call ?? callByName)(tool, step.args(told, workspace), request, callId);
    if (reply !== null) {
      next += 1;
      return { reply, step };
    }
    const definition = toolsOn(wire()).find((one) => dig(one, 'name') === tool);
    if (host.search === undefined || searched === next) throw new Error(`${tool} never reached the model`);
    searched = next;
    return { reply: host.search(tool, String(dig(definition, 'description')), callId), step: null };
  };

  const answer = async (request: ModelRequest): Promise<Reply> => {
    const isOurs = request.texts.some((text) => text.includes(marker));
    if (!isOurs || request.tools.length === 0) return { say: 'Artwork' };
    state.first ??= request;
    const done = request.results.length;
    // A host may ask once more; the call is the same.
    const again = calls[done];
    if (again !== undefined) return again.reply;
    const [last, seen] = [calls.at(-1), request.results.at(-1)];
    try {
      if (last?.step && seen !== undefined && taken < done) {
        const { name, tool } = last.step;
        const earlier = played.filter(({ sent }) => sent?.tool === tool).length;
        const one = {
          step: name,
          sent: resultsOn(wire()).filter((sent) => sent.tool === tool)[earlier] ?? null,
          seen,
        };
        played.push(one);
        await meet(one);
      }
      taken = done;
      const call = following(request);
      if (call === null) return { say: 'That is all.' };
      calls.push(call);
      return call.reply;
    } catch (error) {
      state.stuck = error instanceof Error ? error.message : String(error);
      return { say: 'It can not go on.' };
    }
  };
  return { played, state, answer };
}

/** Hosts put the server's name before a tool's. */
function callByName(tool: string, args: Args, { tools }: ModelRequest, callId: string): Call | null {
  const found = tools.find((one) => isNamed(one.name, tool) && !one.heldBack);
  if (found === undefined) return null;
  if (found.namespace === undefined) return { callId, name: found.name, arguments: args };
  return { callId, name: tool, arguments: args, as: { namespace: found.namespace } };
}

/** Fills a catalogue, reads its titles, and registers an app: all that is played with is a copy of it. */
export async function makeTemplate(root: string, home: string) {
  const entry = path.join(root, 'dist/sandbox.mjs');
  const { baseUrl } = await ensureSandbox({ home, entry });
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const app = { name: 'Host', type: 'public', redirectUri, scopes: allScopes } as const;
  const { clientId } = await registerApp(baseUrl, app);
  const env = { ARTWORK_CLIENT_ID: clientId, ARTWORK_REDIRECT_URI: redirectUri };
  await promisify(execFile)(process.execPath, [path.join(root, 'dist/cli.js'), 'index'], {
    env: { PATH: process.env.PATH, HOME: home, ARTWORK_HOME: home, ...env },
  });
  await stopSandbox({ home });
  return { root, home, env, entry };
}
export type Template = Awaited<ReturnType<typeof makeTemplate>>;

/** Outside the repository: hosts are no dependencies of it. */
const cache = process.env.ARTWORK_HOSTS_CACHE ?? path.join(homedir(), '.cache', 'artwork-mcp-hosts');

/** The folder that has a host's packages in exactly their versions. @throws Error with npm's own words */
async function install(packages: Host['packages']): Promise<string> {
  const exact = packages.map((one) => one.join('@'));
  const folder = path.join(cache, exact[0]?.replaceAll(/[@/]+/g, '-') ?? '');
  const done = path.join(folder, 'installed.json');
  if (existsSync(done) && (await readFile(done, 'utf8')) === exact.join()) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--save-exact'];
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, ...exact], { cwd: folder });
  await writeFile(done, exact.join());
  return folder;
}

/** Ends what hangs, in milliseconds; judges no speed. What has come to its end is not kept up by it. */
const longest = { play: 240_000, end: 15_000 };
const unwaited = { ref: false };

/** Plays the whole script, and ends all that is left of the host. */
export async function play(
  host: Host,
  { root, home: template, env, entry }: Template,
  folder: string,
): Promise<Performance> {
  const installed = await install(host.packages);
  const isOlder = Number(process.versions.node.split('.')[0]) < host.node;
  const node = isOlder ? [path.join(await install([['node', '24.21.0']]), 'node_modules/.bin')] : [];
  const catalogue = path.join(folder, 'catalogue');
  await cp(template, catalogue, { recursive: true });
  await ensureSandbox({ home: catalogue, entry });

  const [frames, home, workspace] = [
    path.join(folder, 'frames'),
    path.join(folder, 'home'),
    path.join(folder, 'workspace'),
  ];
  await mkdir(home);
  await mkdir(workspace);
  const drawing = { width: 1000, height: 1500, channels: 3, background: '#28406a' } as const;
  await sharp({ create: drawing }).png().toFile(path.join(workspace, picture));
  const wire = () => readWire(frames);
  const talk = converse(host, workspace, wire, async ({ step, seen }) => {
    // The person has the address from the model: what it was not told can't be opened.
    const [url] =
      step === 'sign-in'
        ? (/http:\/\/127\.0\.0\.1:\d+\/[^\s"'\\<>]*code_challenge[^\s"'\\<>]*/.exec(seen.text) ?? [])
        : [];
    if (url !== undefined) await fetch(await signInAndAnswerConsent(new Visitor(), url));
  });
  const model = await startModel(talk.answer);
  const tap = pathToFileURL(path.join(root, 'test/hosts/wire.mjs')).href;
  const { ARTWORK_TEST_ERA = '' } = process.env;
  const server = {
    command: process.execPath,
    args: ['--import', tap, path.join(root, 'dist/cli.js'), 'serve', '.'],
    env: { ...env, ARTWORK_HOME: catalogue, ARTWORK_TEST_FRAMES: frames, ARTWORK_TEST_ERA },
  };
  const prompt = `${marker}, step by step.`;
  const place = { installed, home, workspace, modelUrl: model.url, prompt, server };
  for (const [file, what] of Object.entries(host.files?.(place) ?? {})) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof what === 'string' ? what : JSON.stringify(what));
  }
  await host.before?.(place);
  const { command, args, env: its } = host.run(place);
  const child = spawn(command, args, {
    cwd: workspace,
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: [...node, process.env.PATH ?? ''].join(path.delimiter),
      ...{ HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', CI: '1' },
      // Whatever a host would reach beyond this machine is not there.
      ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '127.0.0.1,localhost' },
      ...its,
    },
  });
  // A host that can't be started has played nothing, as the table shows.
  const ended = once(child, 'exit').catch(String);
  try {
    await Promise.race([ended, sleep(longest.play, null, unwaited)]);
    if (child.exitCode === null) child.kill('SIGTERM');
    await Promise.race([ended, sleep(longest.end, null, unwaited)]);
    const { pids, ...seen } = wire();
    for (let waited = 0; waited < longest.end && pids.some(isRunning); waited += 100) await sleep(100);
    const left = pids.filter(isRunning);
    for (const pid of left) endQuietly(pid);
    return { host, wire: { ...seen, pids }, played: talk.played, ...talk.state, left: left.length };
  } finally {
    if (child.pid !== undefined) endQuietly(-child.pid);
    model.stop();
    await endDaemons(home);
    await stopSandbox({ home: catalogue });
  }
}

const nowhere = 'http://127.0.0.1:9';

/** A daemon in a process group of its own is known by the HOME that only this run has. Linux tells it. */
async function endDaemons(home: string): Promise<void> {
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    // It may end meanwhile, or be another user's.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(`HOME=${home}`)) endQuietly(Number(pid));
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
