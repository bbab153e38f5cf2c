/** A tool as a model is told of it. */
export interface SeenTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments; null where the host tells none. */
  readonly schema: unknown;
  /** The model is told its name alone, until it has searched for it. */
  readonly heldBack: boolean;
  /** OpenAI Responses: the group of tools that it stands in; its name is prefixed with it here. */
  readonly namespace?: string;
}

/** What has become of one call, as a model is told of it. */
export interface SeenResult {
  readonly callId: string;
  readonly text: string;
  /** Pictures as pictures, in the result or right behind it. */
  readonly images: number;
  /** Tools that a search has brought up. */
  readonly tools: readonly SeenTool[];
}

/** What a host asks of a model, whichever interface it speaks. */
export interface ModelRequest {
  readonly api: ApiName;
  /** Every text in the request. */
  readonly texts: readonly string[];
  readonly tools: readonly SeenTool[];
  /** The results of this conversation, the first one first. */
  readonly results: readonly SeenResult[];
  readonly stream: boolean;
}

export type ApiName = 'Anthropic Messages' | 'OpenAI Responses' | 'OpenAI Chat Completions' | 'Gemini';

export type Reply =
  | { readonly say: string }
  | {
      readonly callId: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** OpenAI Responses: the kind of tool that is called; default: a function. */
      readonly as?: 'custom' | 'tool_search' | { readonly namespace: string };
    };

/** One interface of a model: reads its requests, and writes its answers. */
export interface Api {
  /** Null for a request that is none of this interface. */
  read(path: string, body: unknown): ModelRequest | null;
  write(reply: Reply, request: ModelRequest): { readonly contentType: string; readonly body: string };
}

/** Whether a host calls our tool so: with the server's name before it, in whichever spelling. */
export function isNamed(name: string, tool: string): boolean {
  return name.endsWith(tool) && !/[a-z]/i.test(name.at(-tool.length - 1) ?? '');
}

/** All strings in a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

export const json = (body: unknown) => ({ contentType: 'application/json', body: JSON.stringify(body) });

/** Server-sent events; those with a type are named after it where the interface has it so. */
export function events(all: readonly unknown[], named: boolean) {
  const lines = all.map((data) => {
    const type = typeof data === 'object' && data !== null && 'type' in data ? String(data.type) : '';
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    return `${named ? `event: ${type}\n` : ''}data: ${text}\n\n`;
  });
  return { contentType: 'text/event-stream', body: lines.join('') };
}
