import type { ArtworkError, Failure, Next } from '../errors.ts';
import { MutationError } from '../mutations/answer/result.ts';
import { type Cut, fitted } from './shorten.ts';
import type { ImageBlock, Tool } from './tool.ts';

type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** A `tools/call` result as the protocol has it. */
export interface RenderedResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/** Characters of text. Hosts cut what has 20,000. */
const longestResult = 18_000;
/** Characters. With its sentence an error is shorter than 10,000. */
const longestErrorBody = 9_700;

type Answering = Pick<Tool, 'name' | 'input' | 'pictures'>;

/**
 * A tool's answer as hosts get it. The same data stands there twice: some hosts show a model the structured part alone,
 * others the text alone. With pictures only the text: some hosts drop pictures that stand beside a structured part.
 */
export function renderAnswer(
  tool: Answering,
  args: unknown,
  whole: object,
  pictures: readonly ImageBlock[],
): RenderedResult {
  const { value, text } = fitted({ ...whole }, longestResult, ({ requests, omitted, ...rest }, cuts) => {
    const told = Array.isArray(omitted) ? omitted : [];
    const all = [...told, ...cuts.map((cut) => ({ ...cut, next: shorterPage(tool, args, cut) }))];
    // The requests of a dry run stay last: what was left out is read before them.
    return { ...rest, omitted: all, ...(requests === undefined ? {} : { requests }) };
  });
  const images = pictures.map(({ bytes, mimeType }) => ({
    ...{ type: 'image' as const, data: bytes.toString('base64'), mimeType },
  }));
  const content: ContentBlock[] = [{ type: 'text', text }, ...images];
  return tool.pictures ? { content } : { content, structuredContent: value };
}

/** What a page lost comes with a shorter page, since its cursor lies behind it. Null: no call gets it. */
function shorterPage({ name, input }: Answering, args: unknown, cut: Cut): object | null {
  const isPaged = /^(data|items)(\.|$)/.test(cut.section) && !cut.section.includes('[');
  if (cut.unit !== 'elements' || cut.returned === 0 || !isPaged || !('limit' in input.shape)) return null;
  return { tool: name, arguments: { ...Object(args), limit: cut.returned } };
}

/**
 * A failed call as hosts get it. Text alone, since hosts show a model nothing else of a failed call: a sentence of ours,
 * a line break, and JSON. Some hosts take a text that is JSON alone for the structured part, and lose it.
 */
export function renderError(tool: string, error: ArtworkError, next: Next | undefined): RenderedResult {
  const { code, failure, status, message, details, issues } = error;
  const change =
    error instanceof MutationError
      ? { outcome: error.outcome, clientMutationId: error.clientMutationId }
      : {};
  const whole = { error: { code, category: failure, status, message, details, issues }, ...change, next };
  const { text } = fitted(whole, longestErrorBody, (short, omitted) => {
    const kept = { code: failure, category: failure, message: '', details: {}, ...Object(short.error) };
    return { ...short, error: { ...kept, details: { ...kept.details, omitted } } };
  });
  return { content: [{ type: 'text', text: `${sentenceOf(tool, error)}\n${text}` }], isError: true };
}

/** Words of ours alone. An error's message can hold other people's writing, which only ever stands in JSON. */
function sentenceOf(tool: string, error: ArtworkError): string {
  const { failure, code } = error;
  // A code of its own: no defect of this program, but a matter of the machine that it runs on.
  const ofMachine = failure === 'internal' && code !== failure;
  const why = ofMachine
    ? `something on this computer is in the way (${code})`
    : isUnknownChange(tool, error)
      ? 'no change of this account has this id here'
      : meanings[failure];
  if (!(error instanceof MutationError) || error.outcome === undefined) return `${tool} failed: ${why}.`;
  const how = error.outcome === 'refused' ? 'was refused' : 'was not sent';
  return `${tool}: the change ${how}, and nothing was changed: ${why}.`;
}

/** What is not there is the change itself, and nothing that it is about. */
function isUnknownChange(tool: string, error: ArtworkError): boolean {
  if (error.failure !== 'not_found' || !(error instanceof MutationError)) return false;
  return tool === 'get_mutation_status' || error.code === 'other_account';
}

const meanings: { readonly [Category in Failure]: string } = {
  invalid_arguments: 'an argument is missing or wrong',
  not_found: 'there is nothing with this name or id',
  snapshot_expired: 'the list has changed since its first page',
  not_connected: 'no account is connected',
  reconnect_required: 'the person has to sign in again',
  scope_missing: 'the person has not granted a permission that it needs',
  forbidden: 'the service does not allow it for this account',
  stale_revision: 'somebody changed it since you read it',
  conflict: 'it conflicts with what is there',
  mutation_id_reused: 'its clientMutationId belongs to another change',
  upload_refused: "the file can't be used",
  read_only: 'changes are switched off here',
  rate_limited: 'the service asks for fewer calls',
  service_unavailable: 'the service could not answer',
  network: "the service can't be reached",
  bad_response: "the service's answer can't be used",
  cancelled: 'the call was cancelled',
  internal: 'this server has a defect',
};
