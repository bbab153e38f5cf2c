import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpError, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { RenderedResult } from './dispatch.ts';
import type { Output } from './frames.ts';
import type { PlainToolCall } from './prebuilt.ts';

/** Runs a tool as the protocol asks for it. @throws McpError where there is no such tool */
export type CallTool = (
  params: { readonly name: string; readonly arguments?: { readonly [name: string]: unknown } | undefined },
  call: CallOfHost,
) => Promise<RenderedResult>;

/** A call as its host knows it. */
export interface CallOfHost {
  readonly signal: AbortSignal;
  /** Under which the host wants to hear of progress. */
  readonly progressToken: RequestId | undefined;
  notify(notification: ProgressNotification): Promise<void>;
}

interface ProgressNotification {
  readonly method: 'notifications/progress';
  readonly params: {
    readonly progressToken: RequestId;
    readonly progress: number;
    readonly total?: number;
    readonly message: string;
  };
}

/** Calls of tools between their request and their answer. */
interface ToolCalls {
  begin(request: PlainToolCall): void;
  /** Answers whether it was one of these. It is not answered then. */
  cancel(id: RequestId, reason: unknown): boolean;
  cancelAll(): void;
}

/**
 * Answers plain calls as the SDK's server does, which spends four fifths of a short one on judging each message
 * seven times by its schemas. test/mcp/tool-calls.test.ts compares the two.
 */
export function createToolCalls(callTool: CallTool, output: Pick<Output, 'send' | 'read'>): ToolCalls {
  const running = new Map<RequestId, RunningCall>();

  const run = async ({ id, params }: PlainToolCall, call: RunningCall): Promise<void> => {
    let answer: object;
    try {
      answer = { result: await callTool(params, call), jsonrpc: '2.0', id };
    } catch (error) {
      // Whatever it is, the host waits for an answer.
      answer = { error: wireError(error), jsonrpc: '2.0', id };
    }
    if (running.get(id) === call) running.delete(id);
    if (!call.isEnded) output.send(answer);
  };

  return {
    begin(request) {
      const call = new RunningCall(request.params._meta?.progressToken, output);
      running.set(request.id, call);
      void run(request, call);
    },
    cancel(id, reason) {
      const call = running.get(id);
      call?.end(reason);
      return call !== undefined;
    },
    cancelAll() {
      for (const call of running.values()) call.end();
    },
  };
}

/** A call between its request and its answer, which is not sent once the call was ended. */
class RunningCall implements CallOfHost {
  readonly progressToken: RequestId | undefined;
  readonly #output: Pick<Output, 'send' | 'read'>;
  #ending: AbortController | null = null;
  #isEnded = false;
  #reason: unknown;

  constructor(progressToken: RequestId | undefined, output: Pick<Output, 'send' | 'read'>) {
    this.progressToken = progressToken;
    this.#output = output;
  }

  /** Made for the tool that looks at it: it costs as much as all else of a call that waits for nothing. */
  get signal(): AbortSignal {
    this.#ending ??= new AbortController();
    if (this.#isEnded) this.#ending.abort(this.#reason);
    return this.#ending.signal;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  end(reason?: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#reason = reason;
    this.#ending?.abort(reason);
  }

  async notify(notification: ProgressNotification): Promise<void> {
    if (this.#isEnded) return;
    this.#output.send({ ...notification, jsonrpc: '2.0' });
    // A tool that tells more than its host reads has to wait.
    await this.#output.read();
  }
}

/** As the SDK tells errors: those of the protocol with their own code, any other as a defect. */
function wireError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!(error instanceof Error)) return { code: internalError, message: 'Internal error' };
  const code = 'code' in error && Number.isSafeInteger(error.code) ? Number(error.code) : internalError;
  const data = 'data' in error && error.data !== undefined ? { data: error.data } : {};
  return { code, message: error.message, ...data };
}

/** JSON-RPC 2.0, Error object. */
const internalError = -32603;

/** The folders that the host lets servers read, as `file:` URIs; asked anew each time, since they change. */
export async function hostRoots(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [];
  try {
    const asked = { signal, timeout: rootsPatienceMs };
    const { roots } = await server.request({ method: 'roots/list' }, hostsRoots, asked);
    return roots.flatMap((root) => (root === null ? [] : [root.uri]));
  } catch (error) {
    // A host that declares roots and then tells none offers none; the settings may.
    if (error instanceof McpError) return [];
    throw error;
  }
}

/** Hosts name folders of other machines beside those of this one, of which the SDK takes none then. */
const hostsRoots = z.looseObject({
  roots: z.array(z.looseObject({ uri: z.string() }).nullable().catch(null)).catch([]),
});

const rootsPatienceMs = 5_000;

/** Addresses that the host shows to the person, each until what it is for has ended. */
export interface ShownUrls {
  /**
   * URL elicitation, where the host declares it. Some hosts declare it and decline by themselves, some never answer:
   * whatever comes, the address also stands in the tool's answer, so nothing depends on it.
   * @param ended settles once the address is of no use any more, however that came; the call may be over by then
   */
  show(url: string, message: string, ended: Promise<unknown>, signal: AbortSignal): Promise<void>;
  /** Tells the host that all of them have ended. */
  close(): Promise<void>;
}

/** Shows addresses through the host, and tells it once what each was for has ended. */
export function createShownUrls(server: Server): ShownUrls {
  const open = new Map<string, () => Promise<void>>();

  const complete = async (elicitationId: string): Promise<void> => {
    const notify = open.get(elicitationId);
    open.delete(elicitationId);
    try {
      await notify?.();
    } catch {
      // The host has gone, and its dialog with it.
    }
  };

  return {
    async show(url, message, ended, signal) {
      if (server.getClientCapabilities()?.elicitation?.url === undefined) return;
      const elicitationId = randomUUID();
      open.set(elicitationId, server.createElicitationCompletionNotifier(elicitationId));
      const over = () => complete(elicitationId);
      ended.then(over, over);
      const params = { mode: 'url' as const, url, message, elicitationId };
      try {
        await server.elicitInput(params, { signal, timeout: dialogPatienceMs });
      } catch (error) {
        // A host that answers with an error, or not in time, has shown nothing.
        if (!(error instanceof McpError)) throw error;
      }
    },
    async close() {
      await Promise.all([...open.keys()].map(complete));
    },
  };
}

/** Long enough for a person to read and agree; the call itself has to answer within a minute. */
const dialogPatienceMs = 30_000;
