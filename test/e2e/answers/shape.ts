import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { errorCategories } from '../../../src/errors.ts';

const longestText = 18_000;
const longestError = 10_000;

const next = z.strictObject({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  why: z.string().min(1),
  doNot: z.string().min(1).optional(),
});
const issue = z.strictObject({ code: z.string(), message: z.string(), path: z.array(z.string()) });
const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.string().min(1),
    category: z.enum(errorCategories),
    status: z.int().optional(),
    message: z.string().min(1),
    details: z.record(z.string(), z.unknown()).optional(),
    issues: z.array(issue).optional(),
  }),
  outcome: z.enum(['refused', 'not_sent']).optional(),
  clientMutationId: z.uuid().optional(),
  next: next.optional(),
});
const outcomes = [
  'succeeded',
  'partial',
  'failed',
  'rolled_back',
  'processing',
  'unresolved',
  'dry_run',
] as const;
const mutationBody = z.looseObject({
  outcome: z.enum(outcomes),
  clientMutationId: z.uuid(),
  operation: z.string().min(1),
  service: z.string().min(1),
  target: z.unknown(),
  updatedAt: z.string().min(1).max(300).optional(),
  publicationStatus: z.string().min(1).max(300).optional(),
  error: z.looseObject({ code: z.string().min(1), message: z.string() }).optional(),
  next: next.optional(),
});
const readBody = z.looseObject({
  omitted: z.array(z.looseObject({ section: z.string() })).optional(),
  nextCursor: z.string().nullable().optional(),
});

/** What may stand in no text: it moves a terminal's cursor, turns the direction of writing, or is half a character. */
const forbidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]|\p{Cs}/u;

/** What a mutation's call was made with; every answer about it says which it is. */
export interface Asked {
  readonly tool: string;
  readonly clientMutationId?: string | undefined;
}

/** Why a result has not the shape that the public surface gives (Errors, Results, outcome of a mutation); null where it has. */
export function whatIsWrong(asked: Asked, result: CallToolResult, secrets: readonly string[]): string | null {
  const whole = JSON.stringify({ ...result, content: result.content.filter(({ type }) => type === 'text') });
  if (secrets.some((secret) => whole.includes(secret))) return 'a secret';
  const [first, ...more] = result.content;
  if (first?.type !== 'text') return 'no text';
  const { text } = first;
  if (result.isError === true) {
    if (more.length > 0 || result.structuredContent !== undefined) return 'more than one text';
    return text.length < longestError ? wrongError(asked, text) : `an error of ${text.length} characters`;
  }
  if (text.length > longestText) return `a text of ${text.length} characters`;
  const parsed: unknown = JSON.parse(text);
  const shown = result.structuredContent;
  if (shown !== undefined && JSON.stringify(shown) !== text) return 'a text that is not its structured part';
  const body = asked.clientMutationId === undefined ? readBody : mutationBody;
  return wrongBody(asked, body.safeParse(parsed), parsed);
}

function wrongError(asked: Asked, text: string): string | null {
  const cut = text.indexOf('\n');
  const sentence = text.slice(0, Math.max(cut, 0));
  if (cut < 1 || sentence.startsWith('{')) return 'an error without a sentence';
  const json = text.slice(cut + 1);
  const parsed: unknown = JSON.parse(json);
  if (JSON.stringify(parsed) !== json) return 'JSON that is not compact';
  if (forbidden.test(sentence)) return 'a control character in a sentence';
  const body = errorBody.safeParse(parsed);
  if (body.success && body.data.error.category === 'internal') {
    return `internal: ${body.data.error.message}`;
  }
  return wrongBody(asked, body, parsed);
}

function wrongBody(
  { clientMutationId }: Asked,
  body: { readonly success: boolean; readonly error?: z.ZodError | undefined },
  parsed: unknown,
): string | null {
  if (body.error !== undefined) return z.prettifyError(body.error);
  const named = z.looseObject({ outcome: z.string(), clientMutationId: z.string() }).safeParse(parsed);
  if (clientMutationId !== undefined && named.success && named.data.clientMutationId !== clientMutationId) {
    return 'an answer about another mutation';
  }
  const bad = textsIn(parsed).find((one) => forbidden.test(one));
  return bad === undefined ? null : `a control character: ${JSON.stringify(bad.slice(0, 80))}`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
