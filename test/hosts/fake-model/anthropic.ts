import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Api, events, json, type SeenResult, type SeenTool, textsIn } from './model.ts';

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  tool_use_id: z.string().optional(),
  tool_name: z.string().optional(),
  content: z.unknown().optional(),
});
const body = z.looseObject({
  stream: z.boolean().optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().default(''),
        input_schema: z.unknown().optional(),
        defer_loading: z.boolean().optional(),
      }),
    )
    .default([]),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) })),
});
type Block = z.output<typeof block>;

/** Anthropic Messages. */
export const anthropic: Api = {
  read(path, given) {
    if (!/\/messages$/.test(path)) return null;
    const { stream = false, tools, messages } = body.parse(given);
    const seen = tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      schema: tool.input_schema ?? null,
      heldBack: tool.defer_loading === true,
    }));
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      api: 'Anthropic Messages',
      texts: textsIn(given),
      tools: seen,
      results: blocks.flatMap((one) => (one.type === 'tool_result' ? resultOf(one, seen) : [])),
      stream,
    };
  },
  write(reply, { stream }) {
    const isCall = 'callId' in reply;
    const message = {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        isCall
          ? { type: 'tool_use', id: reply.callId, name: reply.name, input: reply.arguments }
          : { type: 'text', text: reply.say },
      ],
      stop_reason: isCall ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    if (!stream) return json(message);
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.arguments) }
      : { type: 'text_delta', text: reply.say };
    const empty = isCall
      ? { type: 'tool_use', id: reply.callId, name: reply.name, input: {} }
      : { type: 'text', text: '' };
    return events(
      [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: empty },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: message.stop_reason, stop_sequence: null },
          usage: { output_tokens: 10 },
        },
        { type: 'message_stop' },
      ],
      true,
    );
  },
};

function resultOf({ tool_use_id: callId = '', content }: Block, tools: readonly SeenTool[]): SeenResult {
  const inner = z.union([z.string(), z.array(block)]).safeParse(content ?? '');
  const parts = inner.success ? inner.data : '';
  if (typeof parts === 'string') return { callId, text: parts, images: 0, tools: [] };
  const named = parts.flatMap(({ type, tool_name: name }) => (type === 'tool_reference' ? (name ?? []) : []));
  return {
    callId,
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    images: parts.filter(({ type }) => type === 'image').length,
    tools: named.flatMap((name) =>
      tools.filter((tool) => tool.name === name).map((tool) => ({ ...tool, heldBack: false })),
    ),
  };
}
