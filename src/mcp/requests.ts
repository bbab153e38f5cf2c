import { z } from 'zod';
import { ArtworkError } from '../errors.ts';
import type { CallEnvironment } from './context.ts';
import type { Dispatch, ReadsHostFolders } from './dispatch.ts';
import { internalError, invalidParams, type Json, type RequestId } from './messages.ts';
import { didYouMean } from './nearest.ts';
import type { Prompts } from './prompts.ts';
import type { RenderedResult } from './render.ts';
import { type CompleteId, type Identity, isPromptOffered, type ReadResource } from './surface.ts';

export interface ServerOptions extends Identity {
  answering(): Promise<Answering>;
}

/** What answers calls. The first call loads it, so that the start waits for none of it. */
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

/** Each era has another error for it. */
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

/** What a host can ask for beyond the lists, in both eras. Its parameters are sound. */
export function createRequests({ definitions, settings, answering }: ServerOptions) {
  const named = ({ definition }: { readonly definition: { readonly name: string } }) => definition.name;
  const tools = definitions.tools.map(named);
  const prompts = definitions.prompts.map(named);
  const offered = definitions.prompts.filter((prompt) => isPromptOffered(prompt, settings)).map(named);
  /** What the settings hide is told from what there is not: only a person can switch it on. */
  const whyNo = (what: 'tool' | 'prompt', name: string, names: readonly string[]): Refusal => {
    const shown = name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
    const why = names.includes(name)
      ? `${name} is switched off here by ARTWORK_TOOLSETS or ARTWORK_READ_ONLY. Only the person who runs this server can switch it on.`
      : `There is no ${what} named ${shown}${didYouMean(name, names)}.`;
    return new Refusal(invalidParams, why);
  };

  const idsFor = async (uri: string, kind: string | undefined, typed: string) => {
    const [, own] = /^artwork:\/\/([a-z_]+)\//.exec(uri) ?? [];
    const { completeId } = await answering();
    try {
      return await completeId(own ?? kind ?? '', typed);
    } catch (error) {
      if (error instanceof ArtworkError) throw new Refusal(internalError, error.message);
      throw error;
    }
  };

  return {
    /** @throws Refusal if there is no such tool */
    async callTool(name: string, args: unknown, host: HostOfCall): Promise<RenderedResult> {
      const { dispatch } = await answering();
      const { progress, stop } = progressTo(host);
      try {
        const dispatched = await dispatch(name, args, { ...host, progress });
        if (dispatched === null) throw whyNo('tool', name, tools);
        return dispatched.result;
      } finally {
        stop();
      }
    },

    /** @throws Refusal */
    async readResource(uri: string, signal: AbortSignal) {
      const { readResource } = await answering();
      const read = await readResource(uri, signal);
      if (read.outcome !== 'read') {
        const { outcome, message } = read;
        if (outcome === 'not_found') throw new NoSuchResource(invalidParams, message, { uri });
        throw new Refusal(internalError, message, { uri });
      }
      const { text, mimeType = 'application/json', meta } = read;
      return { contents: [{ uri, mimeType, text, ...(meta === undefined ? {} : { _meta: { ...meta } }) }] };
    },

    /** @throws Refusal */
    async getPrompt(name: string, args: Readonly<Record<string, string>>) {
      const read = offered.includes(name) ? (await answering()).prompts.read(name, args) : null;
      if (read === null) throw whyNo('prompt', name, prompts);
      if (read.outcome === 'refused') throw new Refusal(invalidParams, read.message);
      const content = { type: 'text' as const, text: read.text };
      return { description: read.description, messages: [{ role: 'user' as const, content }] };
    },

    /** @throws Refusal */
    async complete({ ref, argument: { name, value }, context }: Completion) {
      let values: readonly string[] = [];
      if (ref.type === 'ref/prompt') {
        if (offered.includes(ref.name))
          values = await (await answering()).prompts.complete(ref.name, name, value);
      } else if (name === 'kind') {
        values = definitions.resourceKinds.filter((kind) => kind.startsWith(value));
      } else if (name === 'id' && settings.toolsets.includes('catalogue')) {
        values = await idsFor(ref.uri, context?.arguments?.kind, value);
      }
      return { completion: { values: [...values], total: values.length, hasMore: false } };
    },
  };
}

interface Completion {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** Characters of a name that is none of ours, as it is repeated to the host. */
const longestName = 100;

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
      // The protocol has it grow. A call that does one thing after the other counts each from one.
      told = Math.max(done, told + 1);
      const known = total === null || total < told ? {} : { total };
      await notifyProgress({ progressToken, progress: told, message, ...known });
    },
  };
}

const folder = z
  .looseObject({ uri: z.string() })
  .transform(({ uri }) => [uri])
  .catch([]);

/** A host's answer about its folders, as their addresses. Hosts name what is none, and folders of other machines. */
export const hostRoots = z.looseObject({
  roots: z
    .array(folder)
    .catch([])
    .transform((folders) => folders.flat()),
});
