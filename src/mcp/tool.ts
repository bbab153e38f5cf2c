import { z } from 'zod';
import { ArtworkError } from '../errors.ts';
import type { Toolset } from '../settings.ts';
import type { Context } from './context.ts';
import type { PublicTool } from './surface.ts';

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** An image block of an answer, beside the structured part. */
export interface ImageBlock {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

export interface ToolAnswer<Structured> {
  readonly structured: Structured;
  readonly images?: readonly ImageBlock[];
}

/** What a host sees of a tool and what runs it: data plus one handler, registered nowhere by itself. */
export interface ToolSpecification<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  /** When to use it, and what to call next. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Strict: an unknown argument is refused by name. */
  readonly input: Input;
  readonly output: Output;
  run(args: z.output<Input>, context: Context): Promise<ToolAnswer<z.input<Output>>>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** @throws ArtworkError `invalid_arguments` before anything has been done. */
  call(args: unknown, context: Context): Promise<ToolAnswer<object>>;
}

/** Closes a tool over its own argument type, so that the list of all tools has one type. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolSpecification<Input, Output>,
): Tool {
  return {
    ...tool,
    call: (args, context) => tool.run(parseArguments(tool.name, tool.input, args), context),
  };
}

export const readOnly: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

function parseArguments<Input extends z.ZodObject>(
  tool: string,
  input: Input,
  args: unknown,
): z.output<Input> {
  const parsed = input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 20).map((issue) => ({
    code: issue.code,
    message: issue.message,
    path: issue.path.map(String),
  }));
  const said = issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ');
  throw new ArtworkError('invalid_arguments', `${tool} can't take these arguments. ${said}`.slice(0, 2_000), {
    issues,
  });
}

/** The definition as hosts get it in `tools/list`: JSON Schema without what only costs tokens. */
export function publicDefinition(tool: Tool): PublicTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input'),
    outputSchema: jsonSchema(tool.output, 'output'),
    annotations: tool.annotations,
  };
}

function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): { type: 'object' } {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => {
      // Zod states the safe-integer range of every integer; it says nothing to a model.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      // The format says the same in one word.
      if (node.format !== undefined) delete node.pattern;
      // Keys of JSON objects are strings.
      delete node.propertyNames;
      // Answers may gain fields, and the word costs tokens in each nested object.
      if (io === 'output') delete node.additionalProperties;
    },
  });
  return { ...rest, type: 'object' };
}
