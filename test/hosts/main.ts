import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hosts, isNamed } from './hosts.ts';
import { dig, listAt } from './model.ts';
import { makeTemplate, type Performance, type Played, play, steps, toolsOn, type Wire } from './play.ts';

/** Plays hosts through, all or those named, and prints the table that docs/hosts.md has. */
export async function main(root: string, names: readonly string[]): Promise<number> {
  const idOf = (name: string) =>
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replace(/^-/, '');
  const chosen = hosts.filter(({ name }) => names.length === 0 || names.includes(idOf(name)));
  const folder = await mkdtemp(path.join(tmpdir(), 'artwork-mcp-hosts-'));
  const rows: string[][] = [];
  const failed: string[] = [];
  try {
    const template = await makeTemplate(root, path.join(folder, 'template'));
    for (const host of chosen) {
      const version = host.packages[0]?.[1] ?? '';
      process.stdout.write(`${host.name} ${version}\n`);
      const own = path.join(folder, idOf(host.name));
      await mkdir(own);
      try {
        rows.push([`${host.name} ${version}`, ...judge(await play(host, template, own))]);
      } catch (error) {
        failed.push(
          `${host.name} ${version}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`,
        );
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(['Host', ...columns]), `|${'---|'.repeat(columns.length + 1)}`, ...rows.map(line)];
  process.stdout.write(`\n${[...table, ...failed.map((one) => `Failed: ${one}`)].join('\n')}\n`);
  return failed.length + Number(chosen.length === 0) > 0 ? 1 : 0;
}

const columns = [
  'Protocol',
  'Tools',
  'Instructions',
  'Result',
  'Pictures',
  'Long answer',
  'Error',
  'Roots',
  'Sign-in',
  'Upload',
  'End',
];

function judge(performance: Performance): string[] {
  const { wire, played, left } = performance;
  const of = (name: string) => played.find(({ step }) => step === name);
  const upload = of('upload')?.sent?.text.includes('"outcome":"succeeded"') === true;
  return [
    protocol(wire),
    tools(performance),
    instructions(performance),
    seenOf(of('read'), 'once'),
    pictures(of('pictures')),
    seenOf(of('long'), 'whole'),
    seenOf(of('error'), 'yes'),
    roots(wire),
    of('account')?.sent?.text.includes('"state":"connected"') === true
      ? 'by the address in the text'
      : '**not done**',
    upload ? 'yes' : '**no**',
    left > 0 ? `**${left} left behind**` : 'none left behind',
  ];
}

const inEachRequest = ['params', '_meta', 'io.modelcontextprotocol/protocolVersion'];

function protocol({ frames }: Wire): string {
  const asked = frames.filter(({ from }) => from === 'host').map(({ message }) => message);
  const discovers = asked.some((one) => dig(one, 'method') === 'server/discover');
  const calls = asked.filter((one) => dig(one, 'method') !== 'server/discover');
  const own = calls.map((one) => dig(one, ...inEachRequest)).find((version) => version !== undefined);
  const opened = calls.find((one) => dig(one, 'method') === 'initialize');
  const version = own ?? dig(opened, 'params', 'protocolVersion') ?? 'never connected';
  return `${String(version)}${discovers ? ', asks `server/discover` first' : ''}`;
}

function tools({ host, wire, first, stuck, played }: Performance): string {
  const names = toolsOn(wire).map((tool) => String(dig(tool, 'name')));
  const shown = names.filter((tool) =>
    first?.tools.some(({ name, heldBack }) => isNamed(name, tool) && !heldBack),
  );
  const held =
    host.search === undefined
      ? `${shown.length} of ${names.length}`
      : `held back${shown.length === 0 ? '' : ` but ${shown.length}`}, searched`;
  const how =
    host.inScripts === true ? 'as functions that scripts call' : shown.length === names.length ? 'all' : held;
  return stuck === null ? how : `${how}; after ${played.length} of ${steps.length} steps ${stuck}`;
}

function instructions({ wire, first }: Performance): string {
  const told = wire.frames
    .map(({ message }) => dig(message, 'result', 'instructions'))
    .find((one) => typeof one === 'string');
  // Some hosts indent what they pass on.
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
  const whole = plain(String(told ?? ''));
  const has = (length: number) =>
    first?.texts.some((text) => plain(text).includes(whole.slice(0, length))) === true;
  if (whole !== '' && has(whole.length)) return 'whole';
  let length = 0;
  while (length < whole.length && has(length + 1)) length += 1;
  // The first sentence says what the server is for: without all of it a host passes nothing on.
  return length <= whole.indexOf('. ') ? 'none' : `the first ${length} characters`;
}

/** Words and ids of a text, with how often each stands in it. */
function wordsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[A-Za-z0-9-]{5,}/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function seenOf(played: Played | undefined, all: string): string {
  if (!played?.sent) return 'not reached';
  const [wanted, got] = [[...wordsIn(played.sent.text)], wordsIn(played.seen.text)];
  const there = wanted.filter(([word, count]) => (got.get(word) ?? 0) >= count);
  const times = there.map(([word, count]) => (got.get(word) ?? 0) / count).sort((a, b) => a - b);
  const isTwice = (times[Math.floor(times.length / 2)] ?? 0) >= 2;
  const share = there.length / wanted.length;
  if (share === 1) return isTwice ? 'twice' : all;
  return share === 0
    ? '**lost**'
    : `${isTwice ? 'twice, ' : ''}${Math.round(share * 100)} % of ${played.sent.text.length} characters`;
}

function pictures(played: Played | undefined): string {
  const [image] = played?.sent?.images ?? [];
  if (played === undefined || image === undefined) return 'not reached';
  if (played.seen.images > 0) return 'yes';
  if (!played.seen.text.includes(image.slice(0, 60))) return '**no**';
  return `as ${played.seen.text.includes(image) ? '' : 'cut '}base64 text`;
}

/** Whether the host names folders: where it is asked to, or before it calls once more. */
function roots({ frames }: Wire): string {
  const own = frames.filter(({ from }) => from === 'host').map(({ message }) => message);
  const declared = own.some((one) =>
    JSON.stringify([dig(one, 'params', 'capabilities'), dig(one, 'params', '_meta')]).includes('"roots"'),
  );
  if (!declared) return 'no';
  const told = own.flatMap((one) => [
    dig(one, 'result'),
    ...Object.values(Object(dig(one, 'params', 'inputResponses'))),
  ]);
  return told.some((answer) => listAt(answer, 'roots').length > 0) ? 'yes' : 'declared, none told';
}
