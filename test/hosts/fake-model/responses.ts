import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Api, events, json, type Reply, type SeenResult, type SeenTool, textsIn } from './model.ts';

interface ToolNode {
  readonly type: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
  readonly defer_loading?: boolean | undefined;
  readonly tools?: readonly ToolNode[] | undefined;
}
const toolNode: z.ZodType<ToolNode> = z.lazy(() =>
  z.looseObject({
    type: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
    parameters: z.unknown().optional(),
    defer_loading: z.boolean().optional(),
    tools: z.array(toolNode).optional(),
  }),
);
const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const item = z.looseObject({
  type: z.string().optional(),
  call_id: z.string().nullish(),
  output: z.union([z.string(), z.array(part)]).optional(),
  tools: z.array(toolNode).optional(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});
const body = z.looseObject({
  stream: z.boolean().optional(),
  tools: z.array(toolNode).nullish(),
  input: z.union([z.string(), z.array(item)]),
});

/** OpenAI Responses. */
export const responses: Api = {
  read(path, given) {
    if (!/\/responses$/.test(path)) return null;
    const { stream = false, tools, input } = body.parse(given);
    const results: SeenResult[] = [];
    const found: SeenTool[] = [];
    for (const one of typeof input === 'string' ? [] : input) {
      if (one.type === 'additional_tools') found.push(...(one.tools ?? []).flatMap((tool) => toolsIn(tool)));
      if (one.type?.endsWith('_output') === true) {
        const { output = '', tools: listed = [] } = one;
        const parts = typeof output === 'string' ? [{ type: 'input_text', text: output }] : output;
        const brought = listed.flatMap((tool) => toolsIn(tool)).map((tool) => ({ ...tool, heldBack: false }));
        found.push(...brought);
        results.push({
          callId: one.call_id ?? '',
          text: parts.flatMap(({ text }) => text ?? []).join('\n'),
          images: parts.filter(({ type }) => type === 'input_image').length,
          tools: brought,
        });
      } else if (one.role === 'user' && Array.isArray(one.content)) {
        const images = one.content.filter(({ type }) => type === 'input_image').length;
        const last = results.at(-1);
        if (last !== undefined && images > 0)
          results[results.length - 1] = { ...last, images: last.images + images };
      }
    }
    return {
      api: 'OpenAI Responses',
      texts: textsIn(given),
      tools: [...(tools ?? []).flatMap((tool) => toolsIn(tool)), ...found],
      results,
      stream,
    };
  },
  write(reply, { stream }) {
    const output = itemOf(reply);
    const whole = {
      id: `resp_${randomUUID()}`,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'fake',
      error: null,
      incomplete_details: null,
      instructions: null,
      parallel_tool_calls: false,
      tool_choice: 'auto',
      tools: [],
      output: [output],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 20,
      },
    };
    if (!stream) return json(whole);
    const begun = { ...whole, status: 'in_progress', output: [], usage: null };
    const at = { item_id: output.id, output_index: 0 };
    const inner =
      'say' in reply
        ? [
            {
              type: 'response.content_part.added',
              ...at,
              content_index: 0,
              part: { type: 'output_text', text: '', annotations: [] },
            },
            { type: 'response.output_text.delta', ...at, content_index: 0, delta: reply.say },
            { type: 'response.output_text.done', ...at, content_index: 0, text: reply.say },
          ]
        : output.type === 'function_call'
          ? [
              { type: 'response.function_call_arguments.delta', ...at, delta: output.arguments },
              { type: 'response.function_call_arguments.done', ...at, arguments: output.arguments },
            ]
          : [];
    const all = [
      { type: 'response.created', response: begun },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...output, ...('arguments' in output ? { arguments: '' } : {}), status: 'in_progress' },
      },
      ...inner,
      { type: 'response.output_item.done', output_index: 0, item: output },
      { type: 'response.completed', response: whole },
    ];
    return events(
      all.map((event, sequence_number) => ({ ...event, sequence_number })),
      true,
    );
  },
};

/** Tools stand in namespaces too; a model calls them by both names. */
function toolsIn({ type, name = type, description = '', ...tool }: ToolNode, space = ''): SeenTool[] {
  if (type === 'namespace') return (tool.tools ?? []).flatMap((one) => toolsIn(one, name));
  return [
    {
      name: space === '' ? name : `${space}__${name}`,
      description,
      schema: tool.parameters ?? null,
      heldBack: tool.defer_loading === true,
      ...(space === '' ? {} : { namespace: space }),
    },
  ];
}

function itemOf(reply: Reply) {
  if ('say' in reply) {
    const content = [{ type: 'output_text', text: reply.say, annotations: [] }];
    return {
      type: 'message',
      id: `item_${randomUUID()}`,
      role: 'assistant',
      status: 'completed',
      content,
    } as const;
  }
  const { callId, name, as } = reply;
  const call = { id: `item_${randomUUID()}`, call_id: callId, status: 'completed' } as const;
  if (as === 'custom')
    return { type: 'custom_tool_call', ...call, name, input: String(reply.arguments.input) } as const;
  if (as === 'tool_search')
    return {
      type: 'tool_search_call',
      ...call,
      execution: 'client',
      arguments: reply.arguments,
    } as const;
  const text = JSON.stringify(reply.arguments);
  const space = as === undefined ? {} : { namespace: as.namespace };
  return { type: 'function_call', ...call, name, ...space, arguments: text } as const;
}
