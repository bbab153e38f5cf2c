import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isFailure } from '../../src/errors.ts';
import { tools } from '../../src/tools/index.ts';
import { errorJson } from './client.ts';

/** Whoever takes calls: a server under test. */
export interface Host {
  call(tool: string, args: Record<string, unknown>): Promise<CallToolResult>;
}

const next = z.strictObject({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  why: z.string().min(1),
  doNot: z.string().min(1).optional(),
});
const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.string().min(1),
    category: z.string().refine(isFailure),
    status: z.int().optional(),
    message: z.string().min(1),
    details: z.record(z.string(), z.unknown()).optional(),
    issues: z.array(z.unknown()).optional(),
  }),
  outcome: z.enum(['refused', 'not_sent']).optional(),
  clientMutationId: z.uuid().optional(),
  next: next.optional(),
});
const answerBody = z.looseObject({
  outcome: z.string().optional(),
  clientMutationId: z.string().optional(),
  next: next.optional(),
  omitted: z.array(z.object({ next: next.partial({ why: true }).nullable() })).optional(),
});

/** What an answer tells an agent: an error, or a result. */
export interface Told {
  readonly error?: z.infer<typeof errorBody>['error'];
  readonly outcome?: string | undefined;
  readonly clientMutationId?: string | undefined;
  readonly next?: z.infer<typeof next> | undefined;
}

export interface Step {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly told: Told;
}

/**
 * - `settled`: a mutation whose outcome is known, or an answer that leads nowhere else.
 * - `person`: `next` names no tool.
 * - `astray`: more calls than are allowed, or an open outcome that leads nowhere.
 */
export interface Journey {
  readonly end: 'settled' | 'person' | 'astray';
  readonly steps: readonly Step[];
}

export interface Call {
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
}

/** No agent needs more calls than that to end at a settled outcome or at a person. */
export const mostCalls = 8;

/**
 * Does what an agent does that only ever follows `next`: its tool and its arguments, literally. `between` is
 * told of each answer before it is followed.
 */
export async function follow(
  host: Host,
  first: Call,
  between: (told: Told) => void | Promise<void> = () => {},
): Promise<Journey> {
  const steps: Step[] = [];
  for (let call: Call | null = first; call !== null && steps.length < mostCalls; ) {
    const told = read(call, await host.call(call.tool, call.arguments));
    steps.push({ ...call, told });
    await between(told);
    const { next } = told;
    if (next !== undefined && next.tool === undefined) return { end: 'person', steps };
    if (next?.tool === undefined) return { end: isOpen(told) ? 'astray' : 'settled', steps };
    call = { tool: next.tool, arguments: next.arguments ?? {} };
  }
  return { end: 'astray', steps };
}

function isOpen({ outcome }: Told): boolean {
  return outcome === 'processing' || outcome === 'unresolved';
}

/** A line for people: what was called and what was told. */
export function describeJourney({ end, steps }: Journey): string {
  const path = steps.map(({ tool, told }) => {
    const { error, outcome, next } = told;
    const failed = error === undefined ? '' : ` ${error.category}${error.status ?? ''}`;
    return `${tool}:${failed}${outcome === undefined ? '' : ` ${outcome}`}${next === undefined ? '.' : ''}`;
  });
  return `${path.join(' > ')} => ${end}`;
}

/** Reads an answer as strictly as the public surface describes it. @throws Error for anything else */
export function read(call: Call, result: CallToolResult): Told {
  const complain = (what: string): never => {
    throw new Error(`${call.tool} ${JSON.stringify(call.arguments)}: ${what}`);
  };
  const [text, ...others] = result.content;
  if (text?.type !== 'text') return complain('the first block is no text');
  if (result.isError === true) {
    if (others.length > 0) complain('a failed call has more than one block');
    if (text.text.length >= 10_000) complain('the error is too long');
    const parsed = errorBody.safeParse(JSON.parse(errorJson(text.text)));
    if (!parsed.success) return complain(`not an error of the surface: ${parsed.error.message} ${text.text}`);
    requireLiteral(parsed.data.next, complain);
    return parsed.data;
  }
  if (text.text.length > 18_000) complain('the result is too long');
  const pictures = tools.find(({ name }) => name === call.tool)?.pictures === true;
  if (pictures !== (result.structuredContent === undefined))
    complain('a structured part beside pictures, or none');
  if (!pictures && JSON.stringify(result.structuredContent) !== text.text)
    complain('the text is not structuredContent');
  const json: unknown = JSON.parse(text.text);
  const parsed = answerBody.safeParse(json);
  if (!parsed.success) return complain(`not an answer of the surface: ${parsed.error.message} ${text.text}`);
  requireLiteral(parsed.data.next, complain);
  for (const { next } of parsed.data.omitted ?? []) requireLiteral(next ?? undefined, complain);
  const { outcome, clientMutationId } = parsed.data;
  return { outcome, clientMutationId, next: parsed.data.next };
}

/** `next` can be made as it stands: the tool is there and takes these arguments. */
function requireLiteral(
  given: { tool?: string | undefined; arguments?: Record<string, unknown> | undefined } | undefined,
  complain: (what: string) => never,
): void {
  if (given === undefined) return;
  if (given.tool === undefined) {
    if (given.arguments !== undefined) complain('next has arguments without a tool');
    return;
  }
  const tool = tools.find(({ name }) => name === given.tool);
  if (given.arguments === undefined) complain(`next names ${given.tool} without arguments`);
  const parsed = tool?.input.safeParse(given.arguments);
  if (parsed?.success !== true) {
    complain(
      `next can't be followed: ${given.tool} ${JSON.stringify(given.arguments)}: ${parsed?.error.message ?? 'no such tool'}`,
    );
  }
}
