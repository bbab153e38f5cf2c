import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { isRunning } from '../support/is-running.ts';
import { type Conversation, converse, type Played } from './conversation.ts';
import { startFakeModel } from './fake-model/server.ts';
import type { ModelRequest, Reply } from './fake-model/model.ts';
import type { Host, Place } from './host.ts';
import { type Household, startHousehold, type Template } from './household.ts';
import { install, nodeFor } from './install.ts';
import { picture, type Step, steps } from './script.ts';
import { readWire, resultsOn, toolsOn, type Wire } from './wire.ts';

/** Stands in what the person says, and tells the conversation from what a host asks its model beside. */
const marker = 'Play through the artwork catalogue';

/** All that was seen of one host. */
export interface Performance {
  readonly host: Host;
  readonly conversation: Conversation;
  /** Between the host and the server while they talked. */
  readonly wire: Wire;
  /** Servers that ran on after the host had ended. */
  readonly left: number;
  readonly interrupted: Interruption;
  readonly killed: Interruption;
}

/** A host that was stopped in the middle of a call. */
export interface Interruption {
  readonly wire: Wire;
  /** Whether the call was under way. */
  readonly inCall: boolean;
  readonly left: number;
}

/** Ends what hangs; judges no speed. */
const longestPlay = 240_000;
const longestStart = 90_000;
const longestEnd = 15_000;
/** What has come to its end is not kept up by such a limit. */
const unwaited = { ref: false };

interface Stage {
  readonly host: Host;
  readonly root: string;
  readonly installed: string;
  readonly node: string | null;
  readonly folder: string;
  readonly household: Household;
}

/** @throws Error where the host can't be installed */
export async function play(
  host: Host,
  root: string,
  template: Template,
  folder: string,
): Promise<Performance> {
  const installed = await install(host.packages);
  const node = await nodeFor(host.node);
  const household = await startHousehold(template, path.join(folder, 'catalogue'));
  const stage: Stage = { host, root, installed, node, folder, household };
  try {
    return { host, ...(await talk(stage)), ...(await stops(stage)) };
  } finally {
    await household.stop();
  }
}

async function talk(stage: Stage): Promise<Pick<Performance, 'conversation' | 'wire' | 'left'>> {
  const { host, household } = stage;
  const frames = path.join(stage.folder, 'talk.frames');
  const visits: Promise<void>[] = [];
  const signIn = ({ step, seen }: Played): void => {
    // The person has the address from the model: what it was not told can't be opened.
    const [url] =
      step.name === 'sign-in'
        ? (/http:\/\/127\.0\.0\.1:\d+\/[^\s"'\\<>]*code_challenge[^\s"'\\<>]*/.exec(seen.text) ?? [])
        : [];
    if (url !== undefined) visits.push(household.visit(url));
  };
  const workspace = path.join(stage.folder, 'talk', 'workspace');
  const describe = (tool: string) =>
    toolsOn(readWire(frames)).find(({ name }) => name === tool)?.description ?? '';
  const conversation = converse(
    host,
    marker,
    workspace,
    steps,
    () => resultsOn(readWire(frames)),
    describe,
    signIn,
  );
  const answer = async (request: ModelRequest) => {
    const reply = conversation.answer(request);
    await Promise.all(visits);
    return reply;
  };
  const run = await start(stage, 'talk', frames, answer);
  await Promise.race([run.ended, sleep(longestPlay, null, unwaited)]);
  const left = await run.stop('SIGTERM');
  return { conversation, wire: readWire(frames), left };
}

/** One call that finds no answer, and a host that is stopped meanwhile. */
async function stops(stage: Stage): Promise<Pick<Performance, 'interrupted' | 'killed'>> {
  return { interrupted: await stopped(stage, 'SIGINT'), killed: await stopped(stage, 'SIGKILL') };
}

async function stopped(stage: Stage, signal: 'SIGINT' | 'SIGKILL'): Promise<Interruption> {
  const { host, household } = stage;
  const frames = path.join(stage.folder, `${signal}.frames`);
  const workspace = path.join(stage.folder, signal, 'workspace');
  const describe = (tool: string) =>
    toolsOn(readWire(frames)).find(({ name }) => name === tool)?.description ?? '';
  const conversation = converse(
    host,
    marker,
    workspace,
    [endless],
    () => [],
    describe,
    () => {},
  );
  process.kill(household.pid, 'SIGSTOP');
  try {
    const run = await start(stage, signal, frames, async (request) => conversation.answer(request));
    const inCall = await until(longestStart, () => calls(readWire(frames)) > 0 || run.hasEnded());
    await sleep(300);
    const reached = inCall && calls(readWire(frames)) > 0 && !run.hasEnded();
    const left = await run.stop(signal);
    return { wire: readWire(frames), inCall: reached, left };
  } finally {
    process.kill(household.pid, 'SIGCONT');
  }
}

const endless: Step = {
  name: 'read',
  tool: 'list_episodes',
  wish: 'list all episodes',
  args: () => ({ limit: 1 }),
};

const calls = ({ frames }: Wire) => frames.filter(({ message }) => message.method === 'tools/call').length;

async function until(patience: number, isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + patience;
  while (!isSo()) {
    if (performance.now() > end) return false;
    await sleep(100);
  }
  return true;
}

/** Servers that are still there some time after their host has gone; none is left running by this. */
async function leftOf({ pids }: Wire): Promise<number> {
  await until(longestEnd, () => !pids.some(isRunning));
  const left = pids.filter(isRunning);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left.length;
}

interface Run {
  readonly ended: Promise<unknown>;
  hasEnded(): boolean;
  /** Signals the host where it runs, and takes away what it leaves. Answers how many servers that were. */
  stop(signal: NodeJS.Signals): Promise<number>;
}

async function start(
  { host, root, installed, node, folder, household }: Stage,
  name: string,
  frames: string,
  answer: (request: ModelRequest) => Promise<Reply>,
): Promise<Run> {
  const home = path.join(folder, name, 'home');
  const workspace = path.join(folder, name, 'workspace');
  await mkdir(home, { recursive: true });
  await mkdir(workspace, { recursive: true });
  await sharp({ create: { width: 1000, height: 1500, channels: 3, background: '#28406a' } })
    .png()
    .toFile(path.join(workspace, picture));
  const model = await startFakeModel(answer, path.join(folder, `${name}.model`));
  const place: Place = {
    root,
    installed,
    home,
    workspace,
    modelUrl: model.url,
    prompt: `${marker}, step by step.`,
    server: {
      command: process.execPath,
      args: [
        '--import',
        pathToFileURL(path.join(root, 'test/hosts/wire.mjs')).href,
        path.join(root, 'dist/cli.js'),
        'serve',
        '.',
      ],
      env: { ...household.env, ARTWORK_TEST_FRAMES: frames },
    },
  };
  const { command, args, env } = await host.prepare(place);
  const child = spawn(command, args, {
    cwd: workspace,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [...(node === null ? [] : [node]), process.env.PATH ?? ''].join(path.delimiter),
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      CI: '1',
      // Whatever a host would reach beyond this machine is not there.
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: '127.0.0.1,localhost',
      ...env,
    },
  });
  const log = createWriteStream(path.join(folder, `${name}.log`));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = once(child, 'exit').catch((error: unknown) => log.write(String(error)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    ended,
    hasEnded,
    async stop(signal) {
      if (!hasEnded()) signalHost(child, signal, readWire(frames).pids);
      await Promise.race([ended, sleep(longestEnd, null, unwaited)]);
      const left = await leftOf(readWire(frames));
      killGroup(child);
      await endDaemons(home);
      await model.stop();
      log.end();
      return left;
    },
  };
}

const nowhere = 'http://127.0.0.1:9';

/** A host can be several processes; the server is not told, as it would not be where a host crashes. */
function signalHost({ pid }: ChildProcess, signal: NodeJS.Signals, servers: readonly number[]): void {
  const all = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' }).split('\n');
  for (const line of all) {
    const [member, group] = line.trim().split(/\s+/).map(Number);
    if (member === undefined || group !== pid || servers.includes(member)) continue;
    endQuietly(member, signal);
  }
}

/** What a host has started beside the server, such as a daemon of its own, goes too; servers are looked at first. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) endQuietly(-pid, 'SIGKILL');
}

/** A daemon in a process group of its own is known by the HOME that only this run has. Linux tells it. */
async function endDaemons(home: string): Promise<void> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of processes) {
    // It may end meanwhile, or be another user's.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(`HOME=${home}`)) endQuietly(Number(pid), 'SIGKILL');
  }
}

function endQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
