import { z } from 'zod';
import { ArtworkError } from '../errors.ts';
import type { CallEnvironment } from './context.ts';
import type { Dispatch } from './dispatch.ts';
import { internalError, invalidParams, type Json, type RequestId } from './messages.ts';
import { didYouMean } from './nearest.ts';
import type { RenderedResult } from './render.ts';
import type { Identity } from './surface.ts';

export interface ServerOptions extends Identity {
  answering(): Promise<Answering>;
}

/** What answers calls. The first call loads it, so that the start waits for none of it. */
export interface Answering {
  readonly dispatch: Dispatch;
  /** @throws ArtworkError `not_found` where there is none of this address */
  readResource(uri: string): Promise<ResourceText>;
}

export interface ResourceText {
  readonly text: string;
  readonly mimeType: string;
  readonly _meta?: { readonly [name: string]: unknown };
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

/** The host has to tell its folders first: the call comes again from its beginning, with them. */
export class FoldersUntold extends Error {
  override readonly name = 'FoldersUntold';
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

/**
 * What a host can ask for beyond the lists, in both eras. Its parameters are sound. Each @throws Refusal
 * @param notFound the era's code for a resource that is not there
 */
export function createRequests({ definitions, answering }: ServerOptions, notFound: number) {
  return {
    async callTool(name: string, args: unknown, host: HostOfCall): Promise<RenderedResult> {
      const { dispatch } = await answering();
      const { progress, stop } = progressTo(host);
      try {
        const dispatched = await dispatch(name, args, { ...host, progress });
        if (dispatched === null) throw noSuchTool(name, definitions);
        return dispatched.result;
      } finally {
        stop();
      }
    },

    async readResource(uri: string) {
      const { readResource } = await answering();
      try {
        return { contents: [{ uri, ...(await readResource(uri)) }] };
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        throw new Refusal(error.failure === 'not_found' ? notFound : internalError, error.message, { uri });
      }
    },
  };
}

/** Characters of an unknown name, as it is repeated to the host. */
const longestName = 100;

/** What the settings hide is told from what there is not: only a person can switch it on. */
function noSuchTool(name: string, { tools }: ServerOptions['definitions']): Refusal {
  const names = tools.map(({ definition }) => definition.name);
  const shown = name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
  const why = names.includes(name)
    ? `${name} is switched off here by ARTWORK_TOOLSETS or ARTWORK_READ_ONLY. Only the person who runs this server can switch it on.`
    : `There is no tool named ${shown}${didYouMean(name, names)}.`;
  return new Refusal(invalidParams, why);
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
      // The protocol has it grow. A call that does one thing after the other counts each from one.
      told = Math.max(done, told + 1);
      const known = total === null || total < told ? {} : { total };
      await notifyProgress({ progressToken, progress: told, message, ...known });
    },
  };
}

const folder = z.looseObject({ uri: z.string() });

/** A host's answer about its folders, as their addresses. Hosts name what is none, and folders of other machines. */
export const hostRoots = z.looseObject({
  roots: z
    .array(z.unknown())
    .catch([])
    .transform((folders) => folders.flatMap((one) => folder.safeParse(one).data?.uri ?? [])),
});

/** Writes a line to the host. */
export type Write = (line: string) => void;

/** The way from the SDK of one era to the host, and back: what both SDKs take for a transport. */
export class Channel<Message> {
  onmessage?: (<Heard extends Message>(message: Heard) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly #write: Write;

  constructor(write: Write) {
    this.#write = write;
  }

  async start(): Promise<void> {}

  async send(message: Message): Promise<void> {
    this.#write(`${JSON.stringify(message)}\n`);
  }

  /** Aborts what is in flight. */
  async close(): Promise<void> {
    this.onclose?.();
  }
}
