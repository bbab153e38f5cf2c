import { Readable, type Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ArtworkError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { Dispatch } from './dispatch.ts';
import { createShownUrls, hostOfCall } from './host.ts';
import { nearestWord } from './nearest.ts';
import type { Prompts } from './prompts.ts';
import {
  type CompleteId,
  createLists,
  introduction,
  isOffered,
  type OfferedLists,
  type PublicDefinitions,
  type ReadResource,
} from './surface.ts';

export interface ServerOptions {
  readonly version: string;
  readonly settings: Settings;
  readonly definitions: PublicDefinitions;
  answering(): Promise<Answering>;
}

/** What answers calls. It is loaded at the first call, so that the start waits for none of it. */
export interface Answering {
  readonly dispatch: Dispatch;
  readonly readResource: ReadResource;
  readonly prompts: Prompts;
  readonly completeId: CompleteId;
}

/** The SDK's server that speaks with the host. */
export interface ConnectedServer {
  /** Tells the host what has to be told before the connection ends. */
  farewell(): Promise<void>;
  /** Aborts what is in flight. */
  close(): Promise<void>;
}

/** A conversation at the point where the SDK's server takes it over. */
interface Begun {
  /** The host's `initialize`, where it was answered already. */
  readonly heard: Buffer | null;
  /** What is to be answered now, and all that comes behind it. */
  readonly line: Buffer;
  readonly lines: AsyncIterable<Buffer>;
}

/**
 * Has the SDK's server go on with a conversation.
 * @param leftOut is told of each line that is no message
 */
export async function connectServer(
  options: ServerOptions,
  { heard, line, lines }: Begun,
  output: Writable,
  leftOut: () => void,
): Promise<ConnectedServer> {
  const { server, farewell } = createServer(options);
  let toldAgain: () => void = () => {};
  const replayed = new Promise<void>((resolve) => {
    toldAgain = resolve;
  });
  async function* conversation() {
    if (heard !== null) {
      yield heard;
      await replayed;
    }
    yield line;
    yield* lines;
  }
  const transport = new StdioServerTransport(Readable.from(conversation()), output);
  transport.onerror = leftOut;
  if (heard !== null) {
    const send = transport.send.bind(transport);
    // The host has had this answer.
    transport.send = async () => {
      transport.send = send;
      toldAgain();
    };
  }
  await server.connect(transport);
  return { farewell, close: () => server.close() };
}

/** Characters of a name that is none of ours, as it is repeated to the host. */
const longestName = 100;

/** A tool that the settings hide is told from one that there is not: only a person can switch it on. */
function whyNoTool(name: string, { tools }: PublicDefinitions, settings: Settings): string {
  const shown = name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
  const hidden = tools.find(({ definition }) => definition.name === name);
  if (hidden !== undefined) {
    return `${name} is switched off here: ARTWORK_TOOLSETS leaves out its toolset, ${hidden.toolset}. Only the person who runs this server can switch it on.`;
  }
  const offered = tools.filter(({ toolset, definition }) =>
    isOffered(toolset, definition.annotations, settings),
  );
  const meant = nearestWord(
    name,
    offered.map(({ definition }) => definition.name),
  );
  return `There is no tool named ${shown}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

function completed(values: readonly string[]) {
  return { completion: { values: [...values], total: values.length, hasMore: false } };
}

/** The protocol side: lists come prebuilt, calls go to the dispatcher. */
export function createServer(options: ServerOptions) {
  const { definitions, settings } = options;
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, introduced);
  const lists = createLists(options);
  const extensions = () => server.getClientCapabilities()?.extensions;
  const shownUrls = createShownUrls(server);

  // Resources are read as the catalogue's tools read.
  const readable = settings.toolsets.includes('catalogue');

  server.setRequestHandler(ListToolsRequestSchema, () => lists.tools(extensions()));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { dispatch } = await options.answering();
    const dispatched = await dispatch(params.name, params.arguments, hostOfCall(server, shownUrls, extra));
    if (dispatched === null) {
      throw new McpError(ErrorCode.InvalidParams, whyNoTool(params.name, definitions, settings));
    }
    return { ...dispatched.result };
  });

  server.setRequestHandler(ListResourcesRequestSchema, () => lists.resources(extensions()));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => lists.resourceTemplates());
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, extra) => {
    const { readResource } = await options.answering();
    const read = await readResource(params.uri, extra.signal);
    switch (read.outcome) {
      case 'read':
        return {
          contents: [
            {
              uri: params.uri,
              mimeType: read.mimeType ?? 'application/json',
              text: read.text,
              ...(read.meta === undefined ? {} : { _meta: { ...read.meta } }),
            },
          ],
        };
      case 'not_found':
        throw new McpError(-32002, read.message, { uri: params.uri });
      case 'failed':
        throw new McpError(ErrorCode.InternalError, read.message, { uri: params.uri });
    }
  });
  const completePrompt = offerPrompts(server, options, lists);
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => {
    const { argument, ref, context } = params;
    if (ref.type === 'ref/prompt') return completed(await completePrompt(ref.name, argument));
    if (argument.name === 'kind') {
      return completed(definitions.resourceKinds.filter((kind) => kind.startsWith(argument.value)));
    }
    if (argument.name !== 'id' || !readable) return completed([]);
    const [, own = ''] = /^artwork:\/\/([a-z_]+)\//.exec(ref.uri) ?? [];
    const kind = own === '' ? (context?.arguments?.kind ?? '') : own;
    const { completeId } = await options.answering();
    try {
      return completed(await completeId(kind, argument.value));
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      throw new McpError(ErrorCode.InternalError, error.message);
    }
  });
  return { server, farewell: () => shownUrls.close() };
}

type CompletePrompt = (
  name: string,
  argument: { readonly name: string; readonly value: string },
) => Promise<readonly string[]>;

/** Offers the prompts that the settings leave in, and answers them; the result completes their arguments. */
function offerPrompts(
  server: Server,
  { definitions, answering }: ServerOptions,
  lists: OfferedLists,
): CompletePrompt {
  const isOffered = (name: string) => lists.prompts().prompts.some((prompt) => prompt.name === name);

  server.setRequestHandler(ListPromptsRequestSchema, () => lists.prompts());
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const { prompts } = await answering();
    const read = isOffered(params.name) ? prompts.read(params.name, params.arguments ?? {}) : null;
    if (read === null) throw new McpError(ErrorCode.InvalidParams, whyNoPrompt(params.name, definitions));
    if (read.outcome === 'refused') throw new McpError(ErrorCode.InvalidParams, read.message);
    return {
      description: read.description,
      messages: [{ role: 'user', content: { type: 'text', text: read.text } }],
    };
  });
  return async (name, argument) =>
    isOffered(name) ? (await answering()).prompts.complete(name, argument.name, argument.value) : [];
}

/** A prompt that the settings hide is told from one that there is not, as a tool is. */
function whyNoPrompt(name: string, { prompts }: PublicDefinitions): string {
  const names = prompts.map(({ definition }) => definition.name);
  if (names.includes(name)) {
    return `${name} is switched off here, since ARTWORK_TOOLSETS or ARTWORK_READ_ONLY leaves out tools that it needs. Only the person who runs this server can switch them on.`;
  }
  const meant = nearestWord(name, names);
  return `There is no prompt named ${name.slice(0, 100)}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}
