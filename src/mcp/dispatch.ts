import { callBudgetMs } from '../deadline.ts';
import { ArtworkError, type ErrorCategory, type Next } from '../errors.ts';
import type { Log } from '../log.ts';
import { MutationError } from '../mutations/answer/result.ts';
import type { Settings } from '../settings.ts';
import type { StoreErrorCode } from '../store/errors.ts';
import { type CallEnvironment, type Context, createShownPaths, type Parts } from './context.ts';
import { type Fitted, isPagedList, type Shortened, shortenAnswer } from './shorten.ts';
import { hiddenBy, isOffered } from './surface.ts';
import type { ImageBlock, Tool } from './tool.ts';

/** The rendered result, and the error that it renders where it is one. */
interface Dispatched {
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
    const since = performance.now();
    const left = () => Math.max(0, since + callBudgetMs - performance.now());
    const deadline = { signal: call.signal, left };
    const roots = () => {
      // One that tells them only with a call has not been asked then.
      if (!tool.readsHostFolders(args)) throw new Error('It does not say that it reads folders of the host.');
      return call.roots();
    };
    const context: Context = { ...parts, ...call, roots, shownPaths, deadline };
    try {
      refuseInReadOnlyMode(tool, parts);
      const { structured, images } = await tool.call(args, context);
      const result = renderAnswer(tool, args, leadingOn(structured, known, parts), images);
      tell(log, tool, 'answered', since);
      return { result, error: null };
    } catch (error) {
      const shown = expected(error, tool.name, call, log);
      tell(log, tool, `ended as ${shown.category}`, since);
      return { result: renderError(tool.name, shown, withinReach(shown.next, known, parts)), error: shown };
    }
  };
}

/** Whether a call reads files in folders that the host offers. False for one that is refused whatever they are. */
export type ReadsHostFolders = (name: string, args: unknown) => boolean;

/** Tells it of the tools that the settings leave in. */
export function createReadsHostFolders(tools: readonly Tool[], settings: Settings): ReadsHostFolders {
  return (name, args) => {
    const tool = tools.find((one) => one.name === name);
    return (
      tool !== undefined && isOffered(tool.toolset, tool.annotations, settings) && tool.readsHostFolders(args)
    );
  };
}

function tell(log: Log, { name }: Tool, how: string, since: number): void {
  log.debug(`${name} ${how} after ${Math.round(performance.now() - since)} ms`);
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
function expected(error: unknown, tool: string, call: CallEnvironment, log: Log): ArtworkError {
  if (error instanceof ArtworkError) return error;
  if (call.signal.aborted) return new ArtworkError('cancelled', `${tool} was cancelled.`);
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

type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** A `tools/call` result as the protocol has it. */
export interface RenderedResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/** Characters of text: hosts cut what has 20,000. */
const longestResult = 18_000;
/** An error is shorter than 10,000 characters, its sentence included. */
const longestErrorBody = 9_700;

/**
 * A tool's answer as hosts get it. The same data twice, since some hosts show a model only the structured part,
 * others only the text. With pictures the text alone: some hosts drop pictures that stand beside a structured part.
 */
function renderAnswer(
  tool: Tool,
  args: unknown,
  whole: object,
  pictures: readonly ImageBlock[] = [],
): RenderedResult {
  const { structured, text } = fittingAnswer({ ...whole }, (cut) =>
    nextShorterPage(cut, (limit) => shorterPage(tool, args, limit)),
  );
  const images = pictures.map(({ bytes, mimeType }) => ({
    type: 'image' as const,
    data: bytes.toString('base64'),
    mimeType,
  }));
  const content: ContentBlock[] = [{ type: 'text', text }, ...images];
  return tool.pictures ? { content } : { content, structuredContent: structured };
}

function omittedIn({ omitted }: Json): readonly unknown[] {
  return Array.isArray(omitted) ? omitted : [];
}

type Json = Readonly<Record<string, unknown>>;

interface FittingAnswer {
  readonly structured: Record<string, unknown>;
  /** The same as JSON: with all that an answer may hold, spelling it out is most of the work. */
  readonly text: string;
}

/** The call that gets what was left out; null where there is none. */
type NextOf = (cut: Shortened) => Next | null;

/** What fits, with what was left out and the calls that get it, which need room of their own. */
function fittingAnswer(whole: Record<string, unknown>, nextOf: NextOf): FittingAnswer {
  const spelled = (structured: Record<string, unknown>) => ({ structured, text: JSON.stringify(structured) });
  const all = spelled(whole);
  if (all.text.length <= longestResult) return all;
  const within = (room: number, next: typeof nextOf) =>
    spelled(withOmitted(shortenAnswer(whole, room), next));
  const first = within(longestResult, nextOf);
  if (first.text.length <= longestResult) return first;
  const bare = within(longestResult, () => null);
  const second = within(longestResult - (first.text.length - bare.text.length), nextOf);
  return second.text.length <= longestResult ? second : bare;
}

function withOmitted({ value, cut }: Fitted, next: NextOf): Record<string, unknown> {
  if (cut.length === 0) return value;
  // The raw requests of a dry run stay last: what was left out is read before them.
  const { requests, ...rest } = value;
  const omitted = [...omittedIn(value), ...cut.map((one) => ({ ...one, next: next(one) }))];
  return { ...rest, omitted, ...(requests === undefined ? {} : { requests }) };
}

/** What a page lost comes with a shorter page: the cursor of this one lies behind it. */
function nextShorterPage(cut: Shortened, withLimit: (limit: number) => Next | null): Next | null {
  const paged = cut.unit === 'elements' && cut.returned > 0 && isPagedList(cut.section);
  return paged ? withLimit(cut.returned) : null;
}

/**
 * A failed call as hosts get it. Text only, since hosts show a model nothing else of a failed call: a sentence of
 * ours, then JSON. Some hosts take a text that is JSON alone for the structured part, check it against the output
 * schema, and lose it.
 */
function renderError(tool: string, error: ArtworkError, next: Next | undefined): RenderedResult {
  const body = JSON.stringify(errorBody(error, next));
  return { content: [{ type: 'text', text: `${sentence(tool, error)}\n${body}` }], isError: true };
}

function errorBody(error: ArtworkError, next: Next | undefined): object {
  const { code, category, status, message, details, issues } = error;
  const known =
    error instanceof MutationError
      ? { outcome: error.outcome, clientMutationId: error.clientMutationId }
      : {};
  const whole = { error: { code, category, status, message, details, issues }, ...known, next };
  const { value, cut } = shortenAnswer(whole, longestErrorBody);
  if (cut.length === 0) return whole;
  const { error: short } = value;
  const kept =
    typeof short === 'object' && short !== null ? short : { code: category, category, message: '' };
  const told = 'details' in kept && typeof kept.details === 'object' ? kept.details : {};
  return { ...value, error: { ...kept, details: { ...told, omitted: cut } } };
}

/** Words of ours alone: an error's message can hold other people's writing, which only ever stands in JSON. */
function sentence(tool: string, error: ArtworkError): string {
  const own = meaningsOfCodes.get(`${error.category} ${error.code}`);
  const why = own === undefined ? `${error.category}: ${meanings[error.category]}` : `${error.code}: ${own}`;
  if (error instanceof MutationError && error.outcome !== undefined) {
    // It may have ended long before this call, which only tells of it.
    return `${tool}: the change ended ${error.outcome} (${why}). Nothing was changed.`;
  }
  return `${tool} failed (${why}).`;
}

/** No defect of this program, but a matter of the machine that it runs on. */
const meaningsOfStore = {
  home_not_private: 'its data folder is open to others',
  store_unsupported: 'its data folder lies where no store can be kept',
  store_unreadable: "its store can't be read or written",
  store_other_schema: 'its store was written by another version',
  store_replaced: 'its store was replaced while it was open',
  store_full: 'the disk is full',
  store_busy: 'its store is held by another program',
  store_closed: 'its store is closed',
  store_refused: "its store can't be used",
  'store.unreachable': 'its store is away',
  key_missing: 'the key of its store is not there',
  key_unreachable: "the key of its store can't be asked for",
  key_wrong: 'the key of its store is not the right one',
  record_tampered: 'what its store keeps was changed by another program',
} satisfies { readonly [Code in StoreErrorCode]: string };

/** What an error means whose code says more than its category, by both. */
const meaningsOfCodes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(meaningsOfStore).map(([code, words]) => [`internal ${code}`, words] as const),
  ['internal disk_full', 'the disk is full'],
  ['internal port_unusable', "the address of the callback can't be listened on"],
  ['internal client_secret_unreadable', "the file of the client secret can't be read"],
  ['cancelled process_ended', 'the process that was to send it ended before'],
  ['cancelled abandoned', 'a person gave it up before it was sent'],
  ['conflict download_root_unset', 'no folder is open for downloads'],
  ['conflict download_root_missing', 'the folder for downloads is not there'],
  ['conflict download_root_not_writable', "the folder for downloads can't be written to"],
  ['conflict download_root_in_home', "the folder for downloads is this program's own"],
]);

const meanings: { readonly [Category in ErrorCategory]: string } = {
  invalid_arguments: 'an argument is missing or not right',
  not_found: 'what it names was not found',
  snapshot_expired: 'the snapshot that it pages through is gone',
  not_connected: 'no account is connected',
  reconnect_required: 'the person has to sign in again',
  scope_missing: 'the connection lacks a permission',
  forbidden: 'the service does not allow it to this account',
  stale_revision: 'what it changes is not as it was last read',
  conflict: 'something else stands against it',
  mutation_id_reused: 'its clientMutationId stands for another change',
  upload_refused: 'the file is not taken',
  read_only: 'changes are switched off here',
  rate_limited: 'the service asks for fewer calls',
  service_unavailable: 'the service could not answer',
  network: 'the service could not be reached',
  bad_response: 'the service answered with something unusable',
  cancelled: 'the call was cancelled',
  internal: 'this server has a defect',
};
