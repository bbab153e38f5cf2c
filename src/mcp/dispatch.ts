import { callBudgetMs } from '../deadline.ts';
import { ArtworkError, type Next } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { type CallEnvironment, type Context, createShownPictures, type Parts } from './context.ts';
import { type RenderedResult, renderAnswer, renderError } from './render.ts';
import { FoldersUntold } from './requests.ts';
import { hiddenBy, isOffered } from './surface.ts';
import type { Tool } from './tool.ts';

/** The rendered result, and the error that it renders where it is one. */
interface Dispatched {
  readonly result: RenderedResult;
  readonly error: ArtworkError | null;
}

/** Null: there is no tool of this name, or its toolset is off. To the protocol that is no such tool. */
export type Dispatch = (name: string, args: unknown, call: CallEnvironment) => Promise<Dispatched | null>;

/** The one place that runs a tool, catches what it throws, and renders the outcome. */
export function createDispatch(tools: readonly Tool[], parts: Parts, log: Log): Dispatch {
  const { settings } = parts;
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const shownPictures = createShownPictures();
  return async (name, args, call) => {
    const tool = known.get(name);
    if (tool === undefined || !settings.toolsets.includes(tool.toolset)) return null;
    const since = performance.now();
    const tell = (how: string) =>
      log.debug(`${name} ${how} after ${Math.round(performance.now() - since)} ms`);
    const left = () => Math.max(0, since + callBudgetMs - performance.now());
    const deadline = { signal: call.signal, left };
    const context: Context = { ...parts, ...call, shownPictures, deadline };
    try {
      requireOffered(tool, settings);
      const { structured, images = [] } = await tool.call(args, context);
      const next = 'next' in structured && isNext(structured.next) ? structured.next : undefined;
      const reachable = next === undefined ? {} : { next: withinReach(next, known, settings) };
      const result = renderAnswer(tool, args, { ...structured, ...reachable }, images);
      tell('answered');
      return { result, error: null };
    } catch (thrown) {
      if (thrown instanceof FoldersUntold) throw thrown;
      const error = expected(thrown, name, call.signal, log);
      const next = error.next && withinReach(error.next, known, settings);
      tell(`ended as ${error.failure}`);
      return { result: renderError(name, error, next), error };
    }
  };
}

/** @throws ArtworkError `read_only` */
function requireOffered({ name, toolset, annotations }: Tool, settings: Settings): void {
  if (isOffered(toolset, annotations, settings)) return;
  throw new ArtworkError('read_only', `${name} changes the catalogue, and ARTWORK_READ_ONLY is on.`, {
    next: { why: 'Only the person who runs this server can allow changes: they unset ARTWORK_READ_ONLY.' },
  });
}

/** Anything but an ArtworkError is a defect of ours. Its name goes to the log, never its words or its cause. */
function expected(error: unknown, tool: string, signal: AbortSignal, log: Log): ArtworkError {
  if (error instanceof ArtworkError) return error;
  if (signal.aborted) return new ArtworkError('cancelled', `${tool} was cancelled.`);
  const { name, stack = '' } = error instanceof Error ? error : { name: typeof error };
  const [place = ''] = /^\s+at .*$/m.exec(stack) ?? [];
  log.error(`${tool} failed with ${name} ${place.trim()}`);
  const message = `${tool} failed inside this server (${name}). Its log on stderr says where.`;
  return new ArtworkError('internal', message);
}

function isNext(next: unknown): next is Next {
  return typeof next === 'object' && next !== null && 'why' in next && typeof next.why === 'string';
}

/** A call that the settings switch off can't be made: then a person has to act. */
function withinReach(next: Next, known: ReadonlyMap<string, Tool>, settings: Settings): Next {
  if (next.tool === undefined) return next;
  const tool = known.get(next.tool);
  if (tool === undefined) return { why: next.why };
  const setting = hiddenBy(tool.toolset, tool.annotations, settings);
  if (setting !== null) {
    const switchedOff = `${setting} switches the tool for it, ${next.tool}, off here.`;
    return { why: `${next.why} ${switchedOff} Only the person who runs this server can switch it on.` };
  }
  // Some hosts can't send a null that is needed.
  if (next.arguments?.expectedUpdatedAt !== null) return next;
  return { ...next, arguments: { ...next.arguments, expectedUpdatedAt: 'none' } };
}
