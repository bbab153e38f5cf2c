import {
  isNamed,
  type ModelRequest,
  type Reply,
  type SeenResult,
  type SeenTool,
} from './fake-model/model.ts';
import type { Args, Host } from './host.ts';
import type { Step, StepName, Told } from './script.ts';
import type { SentResult } from './wire.ts';

/** What one step came to, on both sides of the host. */
export interface Played {
  readonly step: Step;
  /** What the server sent; null where the call never reached it. */
  readonly sent: SentResult | null;
  /** What the model was told. */
  readonly seen: SeenResult;
}

/** A search for a tool by a person's words. */
export interface Searched {
  readonly tool: string;
  readonly words: string;
  /** From 1; null where it was not among those found. */
  readonly rank: number | null;
}

export interface Conversation {
  answer(request: ModelRequest): Reply;
  readonly played: readonly Played[];
  readonly searched: readonly Searched[];
  /** The first request that had tools. */
  first(): ModelRequest | null;
  /** Tools that came up in the whole conversation, by their names. */
  readonly tools: ReadonlyMap<string, SeenTool>;
  /** Why it ended before its last step. */
  stuck(): string | null;
}

interface Call {
  readonly reply: Reply & { readonly callId: string };
  readonly step: Step | null;
  readonly search: { readonly step: Step; readonly exact: boolean } | null;
}

/**
 * The model's side: one call after the other, each made once, whatever the host asks beside and however often.
 * @param marker stands in what the person says
 * @param sent the server's results until now
 * @param describe what the server says of a tool
 * @param meet is told of each result before the next call is made
 */
export function converse(
  host: Host,
  marker: string,
  workspace: string,
  steps: readonly Step[],
  sent: () => readonly SentResult[],
  describe: (tool: string) => string,
  meet: (played: Played) => void,
): Conversation {
  const calls: Call[] = [];
  const played: Played[] = [];
  const searched: Searched[] = [];
  const tools = new Map<string, SeenTool>();
  let first: ModelRequest | null = null;
  let stuck: string | null = null;
  let next = 0;
  let taken = 0;

  const told: Told = (name: StepName) => {
    const one = played.find(({ step }) => step.name === name)?.sent;
    if (one === undefined || one === null) throw new Error(`There is no answer to ${name}.`);
    return one;
  };

  const take = (seen: SeenResult, { step, search }: Call): void => {
    if (search !== null && host.search !== undefined) {
      if (search.exact) return;
      const names = host.search.found?.(seen.text) ?? seen.tools.map(({ name }) => name);
      const at = [...new Set(names)].findIndex((name) => isNamed(name, search.step.tool));
      searched.push({ tool: search.step.tool, words: search.step.wish, rank: at === -1 ? null : at + 1 });
      return;
    }
    if (step === null) return;
    const answers = sent().filter(({ tool }) => tool === step.tool);
    const earlier = played.filter((one) => one.step.tool === step.tool && one.sent !== null).length;
    const one: Played = { step, sent: answers[earlier] ?? null, seen };
    played.push(one);
    meet(one);
  };

  const following = (request: ModelRequest): Call | { readonly say: string } => {
    const step = steps[next];
    if (step === undefined) return { say: 'That is all.' };
    const callId = `call_${calls.length + 1}`;
    const { search } = host;
    const searches = calls.filter((call) => call.search?.step === step);
    if (search !== undefined && searches.length === 0)
      return { reply: asking(search.ask(step.wish, callId)), step: null, search: { step, exact: false } };
    const args = step.args(told, workspace);
    const reply = (host.call ?? callByName)(step.tool, args, request, callId);
    if (reply !== null) {
      next += 1;
      return { reply: asking(reply), step, search: null };
    }
    if (search !== undefined && searches.length === 1)
      return {
        reply: asking(search.ask(search.exactly(step.tool, describe(step.tool)), callId)),
        step: null,
        search: { step, exact: true },
      };
    stuck = `${step.tool} never reached the model`;
    return { say: 'There is no such tool.' };
  };

  return {
    played,
    searched,
    tools,
    first: () => first,
    stuck: () => stuck,
    answer(request) {
      const isOurs = request.texts.some((text) => text.includes(marker));
      if (!isOurs || request.tools.length === 0) return { say: 'Artwork' };
      first ??= request;
      for (const tool of request.tools) tools.set(tool.name, tool);
      for (const tool of request.results.flatMap((result) => result.tools)) tools.set(tool.name, tool);
      const done = request.results.length;
      const again = calls[done];
      // A host may ask once more; the call is the same.
      if (again !== undefined) return again.reply;
      const last = calls.at(-1);
      const seen = request.results.at(-1);
      try {
        if (last !== undefined && seen !== undefined && taken < done) take(seen, last);
        taken = done;
        const call = following(request);
        if ('say' in call) return call;
        calls.push(call);
        return call.reply;
      } catch (error) {
        stuck = error instanceof Error ? error.message : String(error);
        return { say: 'It can not go on.' };
      }
    },
  };
}

function asking(reply: Reply): Reply & { readonly callId: string } {
  if ('say' in reply) throw new Error('The host has no way to call.');
  return reply;
}

/** Hosts put the server's name before a tool's. */
export function callByName(tool: string, args: Args, request: ModelRequest, callId: string): Reply | null {
  const listed = [...request.tools, ...request.results.flatMap((result) => result.tools)];
  const found = listed.find((one) => isNamed(one.name, tool) && !one.heldBack);
  if (found === undefined) return null;
  if (found.namespace === undefined) return { callId, name: found.name, arguments: args };
  return { callId, name: tool, arguments: args, as: { namespace: found.namespace } };
}
