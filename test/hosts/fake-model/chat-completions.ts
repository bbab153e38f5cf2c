import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Api, events, json, type SeenResult, textsIn } from './model.ts';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });
const body = z.looseObject({
  stream: z.boolean().optional(),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          description: z.string().default(''),
          parameters: z.unknown().optional(),
        }),
      }),
    )
    .default([]),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      tool_call_id: z.string().optional(),
      content: z.union([z.string(), z.array(part)]).nullish(),
    }),
  ),
});

/** OpenAI Chat Completions. */
export const chatCompletions: Api = {
  read(path, given) {
    if (!/\/chat\/completions$/.test(path)) return null;
    const { stream = false, tools, messages } = body.parse(given);
    const results: SeenResult[] = [];
    for (const { role, tool_call_id: callId = '', content } of messages) {
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
      const text = parts.flatMap((one) => one.text ?? []).join('\n');
      const images = parts.filter(({ type }) => type === 'image_url').length;
      const last = results.at(-1);
      if (role === 'tool') results.push({ callId, text, images, tools: [] });
      // The interface has no pictures in results: hosts put them into a message behind.
      else if (role === 'user' && last !== undefined && images > 0)
        results[results.length - 1] = { ...last, images: last.images + images };
    }
    return {
      api: 'OpenAI Chat Completions',
      texts: textsIn(given),
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        schema: parameters ?? null,
        heldBack: false,
      })),
      results,
      stream,
    };
  },
  write(reply, { stream }) {
    const calls =
      'callId' in reply
        ? [
            {
              id: reply.callId,
              type: 'function',
              function: { name: reply.name, arguments: JSON.stringify(reply.arguments) },
            },
          ]
        : null;
    const finish_reason = calls === null ? 'stop' : 'tool_calls';
    const said = 'say' in reply ? { content: reply.say } : { content: null };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const head = { id: `chatcmpl-${randomUUID()}`, created: 1, model: 'fake' };
    if (!stream) {
      const message = { role: 'assistant', ...said, ...(calls === null ? {} : { tool_calls: calls }) };
      const choices = [{ index: 0, message, finish_reason }];
      return json({ ...head, object: 'chat.completion', choices, usage });
    }
    const indexed = calls?.map((one, index) => ({ index, ...one }));
    const delta = { role: 'assistant', ...said, ...(indexed === undefined ? {} : { tool_calls: indexed }) };
    const chunk = { ...head, object: 'chat.completion.chunk' };
    return events(
      [
        { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
        { ...chunk, choices: [], usage },
        '[DONE]',
      ],
      false,
    );
  },
};
