import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ArtworkError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { hostRoots } from './host-roots.ts';
import { nearestWord } from './nearest.ts';
import { createShownUrls } from './show-url.ts';
import { offerPrompts } from './offer-prompts.ts';
import { introduction, type OfferedLists } from './prebuilt.ts';
import { isOffered, type PublicDefinitions } from './surface.ts';
import type { ServerOptions } from './server-options.ts';
import type { CallTool } from './tool-calls.ts';

/** The server, and what has to be told to the host before the connection ends. */
export interface CreatedServer {
  readonly server: Server;
  farewell(): Promise<void>;
  readonly callTool: CallTool;
}

/** A tool that the settings hide is told from one that there is not: only a person can switch it on. */
function whyNoTool(name: string, { tools }: PublicDefinitions, settings: Settings): string {
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
  return `There is no tool named ${name}${meant === null ? '' : ` (did you mean ${meant}?)`}`;
}

function completed(values: readonly string[]) {
  return { completion: { values: [...values], total: values.length, hasMore: false } };
}

/** The protocol side: lists come prebuilt, calls go to the dispatcher. */
export function createServer(options: ServerOptions, lists: OfferedLists): CreatedServer {
  const { definitions, settings } = options;
  const { serverInfo, ...introduced } = introduction(options);
  const server = new Server(serverInfo, introduced);
  const extensions = () => server.getClientCapabilities()?.extensions;
  const shownUrls = createShownUrls(server);

  // Resources are read as the catalogue's tools read.
  const readable = settings.toolsets.includes('catalogue');

  server.setRequestHandler(ListToolsRequestSchema, () => lists.tools(extensions()));

  const callTool: CallTool = async ({ name, arguments: args }, { signal, progressToken, notify }) => {
    const { dispatch } = await options.answering();
    let told = -1;
    const dispatched = await dispatch(name, args, {
      signal,
      progress: async (done, total, message) => {
        if (progressToken === undefined) return;
        // The protocol has it grow, and a call that does one thing after the other counts each from one.
        told = Math.max(done, told + 1);
        await notify({
          method: 'notifications/progress',
          params: {
            progressToken,
            progress: told,
            message,
            ...(total === null || total < told ? {} : { total }),
          },
        });
      },
      roots: () => hostRoots(server, signal),
      showUrl: (url, message, ended) => shownUrls.show(url, message, ended, signal),
    });
    if (dispatched === null) {
      throw new McpError(ErrorCode.InvalidParams, whyNoTool(name, definitions, settings));
    }
    return { ...dispatched.result };
  };
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => ({
    ...(await callTool(params, {
      signal: extra.signal,
      progressToken: extra._meta?.progressToken,
      notify: extra.sendNotification,
    })),
  }));

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
  return { server, callTool, farewell: () => shownUrls.close() };
}
