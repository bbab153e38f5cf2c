import type { z } from 'zod';
import type { Toolset } from '../settings.ts';
import type { CallRevisionSource } from './arguments.ts';
import type { Context } from './context.ts';
import { publicSchema } from './json-schema.ts';
import { readArguments } from './read-arguments.ts';
import type { PublicTool, ToolAnnotations } from './surface.ts';

/** An image block of an answer, behind its text. */
export interface ImageBlock {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

export interface ToolAnswer<Structured> {
  readonly structured: Structured;
  readonly images?: readonly ImageBlock[];
}

/** What a host sees of a tool and what runs it: data plus one handler, registered nowhere by itself. */
interface ToolSpecification<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** When to use it, in a person's words first, and what to call next. */
  readonly description: string;
  /** Words that people say for it: Claude Code holds tools back until a search finds them by these. */
  readonly searchHint: string;
  /** Not held back there. */
  readonly alwaysLoad?: boolean;
  readonly annotations: ToolAnnotations;
  /** Strict: an unknown argument is refused by name. */
  readonly input: Input;
  readonly output: Output;
  /** Answers with pictures: then there is no structured part and no public output schema, the text says all. */
  readonly pictures?: boolean;
  /** Of a guarded change: where the revision that it rests on is read. */
  readonly revision?: CallRevisionSource;
  run(args: z.output<Input>, context: Context): Promise<ToolAnswer<z.input<Output>>>;
}

type Described = Omit<ToolSpecification<z.ZodObject, z.ZodObject>, 'revision' | 'run'>;

export interface Tool extends Required<Described> {
  readonly revision: CallRevisionSource | null;
  /** @throws ArtworkError `invalid_arguments` before anything has been done. */
  call(args: unknown, context: Context): Promise<ToolAnswer<object>>;
}

/** Closes a tool over its own argument type, so that the list of all tools has one type. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolSpecification<Input, Output>,
): Tool {
  const { alwaysLoad = false, pictures = false, revision = null } = tool;
  return {
    ...tool,
    alwaysLoad,
    pictures,
    revision,
    async call(args, context) {
      const { parsed, taken } = readArguments({ ...tool, revision }, args);
      const answer = await tool.run(parsed, context);
      return taken === null ? answer : { ...answer, structured: { ...answer.structured, taken } };
    },
  };
}

export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/**
 * The definition as hosts get it in `tools/list`: JSON Schema without what the server checks anyway.
 * @param appUri the view of MCP Apps that shows the pages of answers
 */
export function publicDefinition(tool: Tool, appUri: string): PublicTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: publicSchema(tool.input, 'input'),
    // Some hosts drop pictures that stand beside a structured part.
    ...(tool.pictures ? {} : { outputSchema: publicSchema(tool.output, 'output') }),
    annotations: tool.annotations,
    _meta: {
      'anthropic/searchHint': tool.searchHint,
      ...(tool.alwaysLoad ? { 'anthropic/alwaysLoad': true } : {}),
      ...('page' in tool.input.shape ? { ui: { resourceUri: appUri } } : {}),
    },
  };
}
