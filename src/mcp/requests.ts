import { ArtworkError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import type { CallEnvironment } from './context.ts';
import type { Dispatch, ReadsHostFolders } from './dispatch.ts';
import { internalError, invalidParams, type Json, type RequestId } from './messages.ts';
import { didYouMean } from './nearest.ts';
import type { Prompts } from './prompts.ts';
import type { RenderedResult } from './render.ts';
import { type CompleteId, createLists, type Identity, isOffered, type ReadResource } from './surface.ts';

export interface ServerOptions extends Identity {
  answering(): Promise<Answering>;
}

/** What answers calls. It is loaded at the first call, so that the start waits for none of it. */
export interface Answering {
  readonly dispatch: Dispatch;
  readonly readsHostFolders: ReadsHostFolders;
  readonly readResource: ReadResource;
  readonly prompts: Prompts;
  readonly completeId: CompleteId;
}

/** A request that is refused. Both SDKs take the error's code, message and data from what a handler throws. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The error for it is another one in each era. */
export class NoSuchResource extends Refusal {
  override readonly name = 'NoSuchResource';
}

/** The host of a call, as the SDK of its era describes it. */
export interface HostOfCall extends Omit<CallEnvironment, 'progress'> {
  /** Null: the host does not ask for progress. */
  readonly progressToken: RequestId | null;
  notifyProgress(params: Progress): Promise<void>;
}

interface Progress {
  readonly [name: string]: unknown;
  readonly progressToken: RequestId;
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Characters of a name that is none of ours, as it is repeated to the host. */
const longestName = 100;

/** What a host can ask for beyond the lists. Each era's SDK checks the parameters, and neither changes the answer. */
export function createRequests(options: ServerOptions) {
  const { definitions, settings, answering } = options;
  const lists = createLists(options);
  const isPromptOffered = (name: string) => lists.prompts().prompts.some((prompt) => prompt.name === name);
  // Resources are read as the catalogue's tools read.
  const readable = settings.toolsets.includes('catalogue');

  const completePrompt = async (name: string, argument: Argument): Promise<readonly string[]> =>
    isPromptOffered(name) ? (await answering()).prompts.complete(name, argument.name, argument.value) : [];

  const completeResource = async (
    uri: string,
    { name, value }: Argument,
    others: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> => {
    if (name === 'kind') return definitions.resourceKinds.filter((kind) => kind.startsWith(value));
    if (name !== 'id' || !readable) return [];
    const [, own = ''] = /^artwork:\/\/([a-z_]+)\//.exec(uri) ?? [];
    const { completeId } = await answering();
    try {
      return await completeId(own === '' ? (others.kind ?? '') : own, value);
    } catch (error) {
      if (!(error instanceof ArtworkError)) throw error;
      throw new Refusal(internalError, error.message);
    }
  };

  return {
    /** @throws Refusal if there is no such tool */
    async callTool(name: string, args: unknown, host: HostOfCall): Promise<RenderedResult> {
      const { dispatch } = await answering();
      const { progress, stop } = progressTo(host);
      try {
        const dispatched = await dispatch(name, args, { ...host, progress });
        if (dispatched === null) throw new Refusal(invalidParams, whyNoTool(name, options));
        return dispatched.result;
      } finally {
        stop();
      }
    },

    /** @throws Refusal */
    async readResource(uri: string, signal: AbortSignal) {
      const { readResource } = await answering();
      const read = await readResource(uri, signal);
      switch (read.outcome) {
        case 'read': {
          const { text, mimeType = 'application/json', meta } = read;
          return {
            contents: [{ uri, mimeType, text, ...(meta === undefined ? {} : { _meta: { ...meta } }) }],
          };
        }
        case 'not_found':
          throw new NoSuchResource(invalidParams, read.message, { uri });
        case 'failed':
          throw new Refusal(internalError, read.message, { uri });
      }
    },

    /** @throws Refusal */
    async getPrompt(name: string, args: Readonly<Record<string, string>>) {
      const { prompts } = await answering();
      const read = isPromptOffered(name) ? prompts.read(name, args) : null;
      if (read === null) throw new Refusal(invalidParams, whyNoPrompt(name, options));
      if (read.outcome === 'refused') throw new Refusal(invalidParams, read.message);
      return {
        description: read.description,
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: read.text } }],
      };
    },

    /** @throws Refusal */
    async complete({ ref, argument, context }: Completion) {
      const values =
        ref.type === 'ref/prompt'
          ? await completePrompt(ref.name, argument)
          : await completeResource(ref.uri, argument, context?.arguments ?? {});
      return { completion: { values: [...values], total: values.length, hasMore: false } };
    },
  };
}

interface Argument {
  readonly name: string;
  readonly value: string;
}

interface Completion {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: Argument;
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** The host is told only while it waits: a change goes on when its call has been answered or cancelled. */
function progressTo({ progressToken, notifyProgress, signal }: HostOfCall) {
  let told = -1;
  let isOver = false;
  return {
    stop() {
      isOver = true;
    },
    async progress(done: number, total: number | null, message: string) {
      if (progressToken === null || isOver || signal.aborted) return;
      // The protocol has it grow, and a call that does one thing after the other counts each from one.
      const progress = Math.max(done, told + 1);
      told = progress;
      const known = total === null || total < progress ? {} : { total };
      await notifyProgress({ progressToken, progress, message, ...known });
    },
  };
}

/** A tool that the settings hide is told from one that there is not: only a person can switch it on. */
function whyNoTool(name: string, { definitions: { tools }, settings }: Identity): string {
  const shown = name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
  const hidden = tools.find(({ definition }) => definition.name === name);
  if (hidden !== undefined) {
    return `${name} is switched off here: ARTWORK_TOOLSETS leaves out its toolset, ${hidden.toolset}. Only the person who runs this server can switch it on.`;
  }
  return `There is no tool named ${shown}${didYouMean(name, offeredNames(tools, settings))}`;
}

function offeredNames(tools: Identity['definitions']['tools'], settings: Settings): string[] {
  return tools.flatMap(({ toolset, definition }) =>
    isOffered(toolset, definition.annotations, settings) ? [definition.name] : [],
  );
}

/** A prompt that the settings hide is told from one that there is not, as a tool is. */
function whyNoPrompt(name: string, { definitions: { prompts } }: Identity): string {
  const names = prompts.map(({ definition }) => definition.name);
  if (names.includes(name)) {
    return `${name} is switched off here, since ARTWORK_TOOLSETS or ARTWORK_READ_ONLY leaves out tools that it needs. Only the person who runs this server can switch them on.`;
  }
  return `There is no prompt named ${name.slice(0, longestName)}${didYouMean(name, names)}`;
}
