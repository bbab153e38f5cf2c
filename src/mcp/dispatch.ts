import { ArtworkError, type Next } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Context, callBudgetMs, type Parts } from './context.ts';
import { type RenderedResult, renderAnswer, renderError } from './render.ts';
import { createShownPaths } from './shown-paths.ts';
import { hiddenBy, isOffered } from './surface.ts';
import type { Tool } from './tool.ts';

/** What the protocol hands over with a call. */
export type CallEnvironment = Pick<Context, 'signal' | 'progress' | 'showUrl' | 'roots'>;

/** The rendered result, and the error that it renders where it is one. */
export interface Dispatched {
  readonly result: RenderedResult;
  readonly error: ArtworkError | null;
}

export type Dispatch = (name: string, args: unknown, call: CallEnvironment) => Promise<Dispatched | null>;

/**
 * The one place that runs a tool, catches what it throws and renders the outcome. A name that is not in the
 * list, or whose toolset is off, is null: to the protocol that is no such tool.
 */
export function createDispatch(tools: readonly Tool[], parts: Parts, log: Log): Dispatch {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const shownPaths = createShownPaths();
  return async (name, args, call) => {
    const tool = known.get(name);
    if (tool === undefined || !parts.settings.toolsets.includes(tool.toolset)) return null;
    const endsAt = performance.now() + callBudgetMs;
    const context: Context = {
      ...parts,
      ...call,
      shownPaths,
      call: () => ({ signal: call.signal, deadlineMs: Math.max(1, endsAt - performance.now()) }),
    };
    const since = performance.now();
    const told = (how: string) =>
      log.debug(`${tool.name} ${how} after ${Math.round(performance.now() - since)} ms`);
    try {
      refuseInReadOnlyMode(tool, parts);
      const answer = await tool.call(args, context);
      const structured = leadingOn(answer.structured, known, parts);
      const result = renderAnswer(
        { ...answer, structured },
        { pictures: tool.pictures, withLimit: (limit) => shorterPage(tool, args, limit) },
      );
      told('answered');
      return { result, error: null };
    } catch (error) {
      const shown = expected(error, tool.name, call.signal, log);
      told(`ended as ${shown.category}`);
      return { result: renderError(tool.name, shown, withinReach(shown.next, known, parts)), error: shown };
    }
  };
}

/** An answer leads on as an error does. */
function leadingOn(structured: object, known: ReadonlyMap<string, Tool>, parts: Parts): object {
  if (!('next' in structured) || !isNext(structured.next)) return structured;
  return { ...structured, next: withinReach(structured.next, known, parts) };
}

function isNext(next: unknown): next is Next {
  return typeof next === 'object' && next !== null && 'why' in next && typeof next.why === 'string';
}

/** A call that the settings have switched off can't be made: then a person has to act. */
function withinReach(
  next: Next | undefined,
  known: ReadonlyMap<string, Tool>,
  { settings }: Parts,
): Next | undefined {
  if (next?.tool === undefined) return next;
  const tool = known.get(next.tool);
  if (tool === undefined) return { why: next.why };
  const setting = hiddenBy(tool.toolset, tool.annotations, settings);
  if (setting === null) return withoutNull(next);
  return {
    why: `${next.why} The tool for it, ${next.tool}, is switched off here by ${setting}: only the person who runs this server can switch it on, or use another one.`,
  };
}

/** Some hosts can't send a null that is required. */
function withoutNull(next: Next): Next {
  return next.arguments?.expectedUpdatedAt === null
    ? { ...next, arguments: { ...next.arguments, expectedUpdatedAt: 'none' } }
    : next;
}

/** The same call with a page of so many; null for a tool without pages. */
function shorterPage(tool: Tool, args: unknown, limit: number): Next | null {
  if (!('limit' in tool.input.shape)) return null;
  return {
    tool: tool.name,
    arguments: { ...Object(args), limit },
    why: 'It gives this page in shorter ones.',
  };
}

function refuseInReadOnlyMode(tool: Tool, parts: Parts): void {
  if (isOffered(tool.toolset, tool.annotations, parts.settings)) return;
  throw new ArtworkError(
    'read_only',
    `${tool.name} changes something on the service, and ARTWORK_READ_ONLY is on.`,
    {
      next: {
        why: 'Only the person who runs this server can allow changes, by unsetting ARTWORK_READ_ONLY.',
      },
    },
  );
}

/** Anything but an ArtworkError is a defect of ours: its name goes to the log, never its words or its cause. */
function expected(error: unknown, tool: string, signal: AbortSignal, log: Log): ArtworkError {
  if (error instanceof ArtworkError) return error;
  if (signal.aborted) return new ArtworkError('cancelled', `${tool} was cancelled.`);
  const name = error instanceof Error ? error.name : typeof error;
  const place = error instanceof Error ? placeOf(error) : '';
  log.error(`${tool} failed with ${name}${place}`);
  return new ArtworkError(
    'internal',
    `${tool} failed inside this server (${name}). Its log on stderr says where.`,
  );
}

function placeOf(error: Error): string {
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return frame === undefined ? '' : ` ${frame.trim()}`;
}
