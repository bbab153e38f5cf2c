import { ArtworkError, type Next } from '../errors.ts';
import { MutationError } from '../mutations/mutation-error.ts';
import type { ToolAnswer } from './tool.ts';

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** A `tools/call` result as the protocol has it. */
export interface RenderedResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/** No result is longer, in characters of its text. */
export const longestResult = 40_000;
const longestError = 10_000;

/** The same data twice: some hosts show a model only the structured part, others only the text. */
export function renderAnswer(answer: ToolAnswer<object>): RenderedResult {
  const text = JSON.stringify(answer.structured);
  if (text.length > longestResult) {
    throw new ArtworkError(
      'internal',
      `The answer has ${text.length} characters, over the limit of ${longestResult}. Ask for less with \`limit\` or \`include\`.`,
    );
  }
  return {
    content: [
      { type: 'text', text },
      ...(answer.images ?? []).map(({ bytes, mimeType }) => ({
        type: 'image' as const,
        data: bytes.toString('base64'),
        mimeType,
      })),
    ],
    structuredContent: { ...answer.structured },
  };
}

/** Text only: hosts show a model nothing else of a failed call. */
export function renderError(error: ArtworkError, next: Next | undefined): RenderedResult {
  return { content: [{ type: 'text', text: errorText(error, next) }], isError: true };
}

function errorText(error: ArtworkError, next: Next | undefined): string {
  const core = {
    code: error.code,
    category: error.category,
    status: error.status,
    message: error.message.slice(0, 2_000),
  };
  const fate =
    error instanceof MutationError
      ? { outcome: error.outcome, clientMutationId: error.clientMutationId }
      : {};
  const whole = JSON.stringify({
    error: { ...core, details: error.details, issues: error.issues },
    ...fate,
    next,
  });
  if (whole.length < longestError) return whole;
  // The service may send any amount of details; what to do next matters more.
  const short = JSON.stringify({
    error: {
      ...core,
      issues: error.issues?.slice(0, 5).map((issue) => ({ ...issue, message: issue.message.slice(0, 200) })),
    },
    ...fate,
    next,
  });
  return short.length < longestError ? short : JSON.stringify({ error: core, ...fate });
}
