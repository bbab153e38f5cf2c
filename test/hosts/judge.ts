import { z } from 'zod';
import { isNamed } from './fake-model/model.ts';
import type { Played } from './conversation.ts';
import type { Interruption, Performance } from './play.ts';
import { losses } from './schemas.ts';
import { type StepName, steps } from './script.ts';
import { type SentResult, toolsOn, type Wire } from './wire.ts';

/** What one host makes of one thing. */
export interface Cell {
  readonly words: string;
  /** From 0, nothing, to 1, all; null where no more or less of it is better. */
  readonly good: number | null;
}

export const columns = [
  'Protocol',
  'Tools that reach the model',
  'Found by words',
  'Instructions',
  'Schemas',
  'Result seen',
  'Pictures',
  'Long answer',
  'Error words',
  'Roots',
  'Sign-in',
  'Upload from the workspace',
  'Call interrupted',
  'End',
] as const;
export type Column = (typeof columns)[number];
export type Row = Readonly<Record<Column, Cell>>;

const inTypes: Cell = { words: 'as TypeScript types', good: null };
const inAnswer: Cell = { words: 'as text, in the answer to a search', good: null };
const none: Cell = { words: '–', good: null };

export function judge(performance: Performance): Row {
  const { conversation, wire } = performance;
  const of = (name: StepName) => conversation.played.find(({ step }) => step.name === name) ?? null;
  return {
    Protocol: protocol(wire),
    'Tools that reach the model': toolsCell(performance),
    'Found by words': foundByWords(performance),
    Instructions: instructions(performance),
    Schemas: schemas(performance),
    'Result seen': resultSeen(of('read'), 'once'),
    Pictures: pictures(of('pictures')),
    'Long answer': resultSeen(of('long'), 'whole'),
    'Error words': errorWords(of('error')),
    Roots: roots(wire),
    'Sign-in': signIn(of('sign-in'), of('account'), wire),
    'Upload from the workspace': upload(of('upload')),
    'Call interrupted': interruption(performance.interrupted),
    End: end(performance),
  };
}

function schemas({ host, conversation, wire }: Performance): Cell {
  if (host.inScripts === true) return inTypes;
  return host.search?.found === undefined ? losses(conversation.tools, wire) : inAnswer;
}

const capabilities = z.looseObject({
  roots: z.unknown().optional(),
  elicitation: z.looseObject({ url: z.unknown().optional() }).optional(),
});
const initialize = z.looseObject({ protocolVersion: z.string(), capabilities });
const inEachRequest = z
  .looseObject({
    _meta: z.looseObject({
      'io.modelcontextprotocol/protocolVersion': z.string(),
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }),
  })
  .transform(({ _meta: meta }) => ({
    protocolVersion: meta['io.modelcontextprotocol/protocolVersion'],
    capabilities: meta['io.modelcontextprotocol/clientCapabilities'],
    inEachRequest: true,
  }));

/** How the host names itself with what it asks for, beyond what it asks to learn what the server speaks. */
function introduced({ frames }: Wire) {
  const asked = frames.flatMap(({ from, message }) =>
    from === 'host' && message.method !== 'server/discover' ? [message] : [],
  );
  const own = asked.flatMap(({ params }) => inEachRequest.safeParse(params).data ?? [])[0];
  if (own !== undefined) return own;
  const opening = asked.find(({ method }) => method === 'initialize')?.params;
  return opening === undefined ? null : { ...initialize.parse(opening), inEachRequest: false };
}

function protocol(wire: Wire): Cell {
  const discovers = wire.frames.some(({ message }) => message.method === 'server/discover');
  const host = introduced(wire);
  if (host === null) return { words: 'never connected', good: 0 };
  const words = `${host.protocolVersion}${discovers ? ', asks `server/discover` first' : ''}`;
  return { words, good: host.inEachRequest ? 1 : 0.5 };
}

function toolsCell({ host, conversation, wire }: Performance): Cell {
  const names = toolsOn(wire).map(({ name }) => name);
  const first = conversation.first()?.tools ?? [];
  const at = (tool: string) => first.find(({ name, heldBack }) => isNamed(name, tool) && !heldBack);
  const shown = names.filter((name) => at(name) !== undefined);
  const stuck = conversation.stuck();
  const reached = conversation.played.filter(({ sent }) => sent !== null).length;
  const sample = names
    .map((name) => [name, at(name)?.name ?? name] as const)
    .find(([name, as]) => as !== name);
  const named = sample === undefined ? '' : `, \`${sample[1].replace(sample[0], '*')}\``;
  const how =
    host.inScripts === true
      ? 'as functions that scripts call'
      : shown.length === names.length
        ? `all${named}`
        : host.search === undefined
          ? `${shown.length} of ${names.length}${named}`
          : `held back${shown.length === 0 ? '' : ` but ${shown.length}`}, searched`;
  if (stuck !== null) return { words: `${how}; ${stuck}`, good: reached / steps.length };
  return { words: how, good: 1 };
}

function foundByWords({ host, conversation: { searched } }: Performance): Cell {
  if (host.search === undefined) return none;
  const good = searched.filter(({ rank }) => rank !== null && rank <= 2);
  const missed = searched.filter((one) => !good.includes(one)).map(({ words }) => `“${words}”`);
  const but = missed.length === 0 ? '' : `; not ${missed.join(', ')}`;
  return {
    words: `${good.length} of ${searched.length} first or second${but}`,
    good: searched.length === 0 ? 0 : good.length / searched.length,
  };
}

const serverInfo = z.looseObject({ instructions: z.string() });

function instructions({ conversation, wire }: Performance): Cell {
  const told = wire.frames.flatMap(({ message }) => serverInfo.safeParse(message.result).data ?? [])[0];
  const first = conversation.first();
  if (told === undefined || first === null) return { words: 'none', good: 0 };
  // Some hosts indent what they pass on.
  const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
  const whole = plain(told.instructions);
  const texts = first.texts.map(plain);
  const has = (length: number) => texts.some((text) => text.includes(whole.slice(0, length)));
  if (has(whole.length)) return { words: 'whole', good: 1 };
  let length = 0;
  while (has(length + 1)) length += 1;
  // The first sentence says what the server is for: without all of it a host passes nothing on.
  if (length <= whole.indexOf('. ')) return { words: 'none', good: 0 };
  return { words: `the first ${length} characters`, good: 0.5 };
}

/** Words and ids of an answer, with how often each stands in it. */
function contentsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[A-Za-z0-9-]{5,}/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function resultSeen(played: Played | null, all: 'once' | 'whole'): Cell {
  if (played === null || played.sent === null) return { words: 'not reached', good: 0 };
  const { share, times } = compared(played.sent, played.seen.text);
  const doubled = times >= 2 ? 'twice' : null;
  if (share === 1) return { words: doubled ?? all, good: doubled === null ? 1 : 0.75 };
  if (share === 0) return { words: 'lost', good: 0 };
  const part = `${Math.round(share * 100)} % of ${played.sent.text.length} characters`;
  return { words: doubled === null ? part : `${doubled}, ${part}`, good: 0.7 * share };
}

function compared(sent: SentResult, seen: string): { share: number; times: number } {
  const wanted = [...contentsOf(sent.text)];
  const got = contentsOf(seen);
  const there = wanted.filter(([word, count]) => (got.get(word) ?? 0) >= count);
  const times = there.map(([word, count]) => (got.get(word) ?? 0) / count).sort((a, b) => a - b);
  return { share: there.length / wanted.length, times: times[Math.floor(times.length / 2)] ?? 0 };
}

function pictures(played: Played | null): Cell {
  if (played === null || played.sent === null) return { words: 'not reached', good: 0 };
  const [image] = played.sent.images;
  if (image === undefined) return { words: 'the server sent none', good: 0 };
  if (played.seen.images > 0) return { words: 'yes', good: 1 };
  if (!played.seen.text.includes(image.slice(0, 60))) return { words: '**no**', good: 0 };
  return { words: `as ${played.seen.text.includes(image) ? '' : 'cut '}base64 text`, good: 0.1 };
}

function errorWords(played: Played | null): Cell {
  if (played === null || played.sent === null) return { words: 'not reached', good: 0 };
  const { share } = compared(played.sent, played.seen.text);
  if (share === 1) return { words: 'yes', good: 1 };
  return share < 0.5 ? { words: '**lost**', good: 0 } : { words: 'in part', good: 0.5 };
}

/** Answers to what the server asked by a method. */
function answersTo({ frames }: Wire, method: string) {
  const ids = frames.flatMap(({ from, message }) =>
    from === 'server' && message.method === method ? [message.id] : [],
  );
  return frames.flatMap(({ from, message }) =>
    from === 'host' && message.method === undefined && ids.includes(message.id) ? [message] : [],
  );
}

const folders = z.looseObject({ roots: z.array(z.unknown()) });
const withAnswers = z.looseObject({ inputResponses: z.record(z.string(), z.unknown()) });

/** What the host has answered where it was asked for its folders: by a request, or before it calls once more. */
function rootsTold(wire: Wire): readonly unknown[] {
  const again = wire.frames.flatMap(({ message }) => {
    const { data } = withAnswers.safeParse(message.params);
    return data === undefined ? [] : Object.values(data.inputResponses);
  });
  return [...answersTo(wire, 'roots/list').map(({ result }) => result), ...again];
}

function roots(wire: Wire): Cell {
  if (introduced(wire)?.capabilities.roots === undefined) return { words: 'no', good: 0 };
  const asked = rootsTold(wire);
  const told = asked.some((answer) => (folders.safeParse(answer).data?.roots.length ?? 0) > 0);
  if (asked.length > 0 && !told) return { words: 'declared, none told', good: 0.5 };
  return { words: 'yes', good: 1 };
}

function signIn(begun: Played | null, account: Played | null, wire: Wire): Cell {
  if (begun === null || begun.sent === null) return { words: 'not reached', good: 0 };
  const host = introduced(wire);
  // One that names itself in each request is not asked to: its call would wait for it.
  const declares = host?.inEachRequest === false && host.capabilities.elicitation?.url !== undefined;
  const [answer] = answersTo(wire, 'elicitation/create');
  const action = answer?.result?.action ?? (answer === undefined ? 'never answers' : 'answers with an error');
  const dialog = declares ? `; URL elicitation: ${String(action)}` : '';
  const done = account?.sent?.text.includes('"state":"connected"') ?? false;
  if (!done) return { words: `**not done**${dialog}`, good: 0 };
  return { words: `by the address in the text${dialog}`, good: 1 };
}

function upload(played: Played | null): Cell {
  if (played === null || played.sent === null) return { words: 'not reached', good: 0 };
  const done = !played.sent.isError && played.sent.text.includes('"outcome":"succeeded"');
  return done ? { words: 'yes', good: 1 } : { words: '**no**', good: 0 };
}

function interruption({ wire, inCall, left }: Interruption): Cell {
  if (!inCall) return { words: 'no call was under way', good: 0 };
  const told = wire.frames.some(({ message }) => message.method === 'notifications/cancelled');
  const words = told ? 'cancels the call, ends the server' : 'ends the server';
  return left === 0 ? { words, good: 1 } : { words: '**server left behind**', good: 0 };
}

function endWords(event: string): string {
  return event === 'end of stdin' ? 'closes stdin' : event;
}

function end({ left, wire, killed }: Performance): Cell {
  const all = left + killed.left;
  if (!killed.inCall) return { words: 'no call was under way', good: 0 };
  const [way = 'kills it'] = wire.events.map(endWords);
  return all === 0
    ? { words: `${way}; none left behind`, good: 1 }
    : { words: `**${all} left behind**`, good: 0 };
}
