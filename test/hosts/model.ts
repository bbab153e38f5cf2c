import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

/** A tool as a model is told of it. */
export interface SeenTool {
  readonly name: string;
  /** The model is told its name alone, until it has searched for it. */
  readonly heldBack: boolean;
  /** OpenAI Responses: the group of tools that it stands in; its name is prefixed with it here. */
  readonly namespace?: string;
}

/** What has become of one call, as a model is told of it. */
export interface SeenResult {
  readonly text: string;
  /** Pictures as pictures, in the result or right behind it. */
  images: number;
}

/** What a host asks of a model, whichever interface it speaks. */
export interface ModelRequest {
  /** Every text in it. */
  readonly texts: readonly string[];
  readonly tools: readonly SeenTool[];
  /** Of this conversation, the first one first. */
  readonly results: readonly SeenResult[];
}

export type Args = Readonly<Record<string, unknown>>;
export interface Call {
  readonly callId: string;
  readonly name: string;
  readonly arguments: Args;
  /** OpenAI Responses: the kind of tool that is called; default: a function. */
  readonly as?: 'custom' | 'tool_search' | { readonly namespace: string };
}
export type Reply = { readonly say: string } | Call;

/** What lies at a path of a JSON value, or undefined. */
export function dig(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

export const listAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = dig(value, ...path);
  return Array.isArray(found) ? found : [];
};

const isPicture = (node: unknown) =>
  ['image', 'image_url', 'input_image'].includes(String(dig(node, 'type'))) ||
  dig(node, 'inlineData') !== undefined;

/** All strings in a JSON value, but those that are pictures. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || isPicture(value)) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Tools stand in groups and namespaces too; a model calls the latter by both names. */
function toolsIn(node: unknown, space = ''): SeenTool[] {
  if (node === undefined || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one: unknown) => toolsIn(one, space));
  const inner = dig(node, 'functionDeclarations') ?? dig(node, 'function');
  if (inner !== undefined) return toolsIn(inner, space);
  const name = String(dig(node, 'name') ?? dig(node, 'type'));
  if (dig(node, 'type') === 'namespace') return toolsIn(dig(node, 'tools'), name);
  const heldBack = dig(node, 'defer_loading') === true;
  return [space === '' ? { name, heldBack } : { name: `${space}__${name}`, heldBack, namespace: space }];
}

/** Reads a request of any of the four interfaces: they differ in names, and not in what stands where. */
function read(given: unknown): ModelRequest {
  const results: SeenResult[] = [];
  const found: SeenTool[] = [];
  const referenced: string[] = [];
  const walk = (node: unknown, within: SeenResult | undefined): void => {
    if (typeof node !== 'object' || node === null) return;
    const type = String(dig(node, 'type') ?? dig(node, 'role'));
    const answered =
      dig(node, 'functionResponse') ?? (/^tool$|^tool_result$|_output$/.test(type) ? node : undefined);
    let result = within;
    if (answered !== undefined && within === undefined) {
      const told = [dig(answered, 'content'), dig(answered, 'output'), dig(answered, 'response')];
      result = { text: textsIn(told).join('\n'), images: 0 };
      results.push(result);
    }
    if (result !== undefined || type === 'additional_tools')
      found.push(...toolsIn(dig(node, 'tools')).map((tool) => ({ ...tool, heldBack: false })));
    const reference = dig(node, 'tool_name');
    if (typeof reference === 'string') referenced.push(reference);
    // Some interfaces have no pictures in results: hosts put them into a message behind.
    const holder = result ?? results.at(-1);
    if (isPicture(node) && holder !== undefined) holder.images += 1;
    else for (const inner of Object.values(node)) walk(inner, result);
  };
  walk(dig(given, 'messages') ?? dig(given, 'input') ?? dig(given, 'contents'), undefined);
  const tools = toolsIn(dig(given, 'tools')).map((tool) =>
    referenced.includes(tool.name) ? { ...tool, heldBack: false } : tool,
  );
  return { texts: textsIn(given), tools: [...tools, ...found], results };
}

/** What an interface answers: whole, and as the events of a stream. */
interface Written {
  readonly whole: object;
  readonly events: readonly (object | string)[];
}

function anthropic(reply: Reply): Written {
  const isCall = 'callId' in reply;
  const stop_reason = isCall ? 'tool_use' : 'end_turn';
  const block = isCall
    ? { type: 'tool_use', id: reply.callId, name: reply.name, input: reply.arguments }
    : { type: 'text', text: reply.say };
  const head = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' };
  const message = { ...head, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 10 } };
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: JSON.stringify(reply.arguments) }
    : { type: 'text_delta', text: reply.say };
  return {
    whole: { ...message, content: [block], stop_reason },
    events: [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { ...block, ...(isCall ? { input: {} } : { text: '' }) },
      },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ],
  };
}

function chatCompletions(reply: Reply): Written {
  const head = { id: `chatcmpl-${randomUUID()}`, created: 1, model: 'fake' };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const calls =
    'callId' in reply
      ? [
          {
            index: 0,
            id: reply.callId,
            type: 'function',
            function: { name: reply.name, arguments: JSON.stringify(reply.arguments) },
          },
        ]
      : null;
  const finish_reason = calls === null ? 'stop' : 'tool_calls';
  const content = 'say' in reply ? reply.say : null;
  const message = { role: 'assistant', content, ...(calls === null ? {} : { tool_calls: calls }) };
  const chunk = (choices: readonly object[], more: object = {}) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...more,
  });
  return {
    whole: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage },
    events: [
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage }),
      '[DONE]',
    ],
  };
}

function responses(reply: Reply): Written {
  const id = `item_${randomUUID()}`;
  const output = { id, status: 'completed', ...itemOf(reply) };
  const tokens = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
  const usage = {
    ...tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const head = { id: `resp_${randomUUID()}`, object: 'response', created_at: 1, model: 'fake', error: null };
  const rest = {
    incomplete_details: null,
    instructions: null,
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
  };
  const whole = { ...head, ...rest, status: 'completed', output: [output], usage };
  const at = { item_id: id, output_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [] };
  const inner =
    'say' in reply
      ? [
          { type: 'response.content_part.added', ...at, content_index: 0, part },
          { type: 'response.output_text.delta', ...at, content_index: 0, delta: reply.say },
          { type: 'response.output_text.done', ...at, content_index: 0, text: reply.say },
        ]
      : reply.as === 'custom' || reply.as === 'tool_search'
        ? []
        : [
            { type: 'response.function_call_arguments.delta', ...at, delta: JSON.stringify(reply.arguments) },
            {
              type: 'response.function_call_arguments.done',
              ...at,
              arguments: JSON.stringify(reply.arguments),
            },
          ];
  const begun = inner.length > 0 && 'callId' in reply ? { arguments: '' } : {};
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...output, ...begun, status: 'in_progress' },
    },
    ...inner,
    { type: 'response.output_item.done', output_index: 0, item: output },
    { type: 'response.completed', response: whole },
  ];
  return { whole, events: events.map((event, sequence_number) => ({ ...event, sequence_number })) };
}

function itemOf(reply: Reply): object {
  if ('say' in reply) {
    const content = [{ type: 'output_text', text: reply.say, annotations: [] }];
    return { type: 'message', role: 'assistant', content };
  }
  const { callId: call_id, name, as, arguments: args } = reply;
  if (as === 'custom') return { type: 'custom_tool_call', call_id, name, input: String(args.input) };
  if (as === 'tool_search')
    return { type: 'tool_search_call', call_id, execution: 'client', arguments: args };
  return { type: 'function_call', call_id, name, arguments: JSON.stringify(args), ...as };
}

function gemini(reply: Reply): Written {
  const part =
    'callId' in reply
      ? { functionCall: { id: reply.callId, name: reply.name, args: reply.arguments } }
      : { text: reply.say };
  const whole = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: 'fake',
  };
  return { whole, events: [whole] };
}

const interfaces: readonly (readonly [RegExp, (reply: Reply) => Written])[] = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chatCompletions],
  [/:(stream)?[gG]enerateContent$/, gemini],
];

/** Hosts that ask which models there are find the one. */
const modelList = {
  object: 'list',
  data: [{ id: 'fake', object: 'model', type: 'model', owned_by: 'nobody' }],
  models: [],
};

/** A model on loopback that says what it is told to, in each of four interfaces. */
export async function startModel(answer: (request: ModelRequest) => Promise<Reply>) {
  const server = createServer((request, response) => {
    const respond = async () => {
      const body = await textOf(request);
      const { pathname } = new URL(request.url ?? '/', 'http://model');
      const json = (what: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(what));
      if (request.method !== 'POST') return json(modelList);
      if (/count_?tokens$/i.test(pathname)) return json({ input_tokens: 10, totalTokens: 10 });
      const given: unknown = JSON.parse(body === '' ? '{}' : body);
      const [, write] = interfaces.find(([path]) => path.test(pathname)) ?? [];
      if (write === undefined) return response.writeHead(404).end();
      const { whole, events } = write(await answer(read(given)));
      const isStream = dig(given, 'stream') === true || pathname.includes(':stream');
      if (!isStream) return json(whole);
      const lines = events.map((data) => {
        const type = dig(data, 'type');
        const name = typeof type === 'string' ? `event: ${type}\n` : '';
        return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
      });
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''));
    };
    respond().catch((error: unknown) => response.writeHead(400).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String(dig(server.address(), 'port'))}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
