import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Output } from './output.ts';
import type { PlainToolCall } from './plain-request.ts';
import type { RenderedResult } from './render.ts';

/** Runs a tool as the protocol asks for it. @throws McpError where there is no such tool */
export type CallTool = (
  params: { readonly name: string; readonly arguments?: { readonly [name: string]: unknown } | undefined },
  call: {
    readonly signal: AbortSignal;
    /** Under which the host wants to hear of progress. */
    readonly progressToken: RequestId | undefined;
    notify(notification: ProgressNotification): Promise<void>;
  },
) => Promise<RenderedResult>;

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
export interface ToolCalls {
  begin(request: PlainToolCall): void;
  /** Answers whether it was one of these. It is not answered then. */
  cancel(id: RequestId, reason: unknown): boolean;
  cancelAll(): void;
}

/**
 * Answers plain calls as the SDK's server does, which spends four fifths of a short one on judging each message
 * seven times by its schemas. test/mcp/tool-calls.test.ts compares the two.
 */
export function createToolCalls(callTool: CallTool, output: Output): ToolCalls {
  const running = new Map<RequestId, AbortController>();

  const run = async ({ id, params }: PlainToolCall, ending: AbortController): Promise<void> => {
    const { signal } = ending;
    const notify = async (notification: ProgressNotification) => {
      if (!signal.aborted) await output.send({ ...notification, jsonrpc: '2.0' });
    };
    let answer: object;
    try {
      answer = {
        result: await callTool(params, { signal, progressToken: params._meta?.progressToken, notify }),
      };
    } catch (error) {
      // Whatever it is, the host waits for an answer.
      answer = { error: wireError(error) };
    }
    if (running.get(id) === ending) running.delete(id);
    if (!signal.aborted) await output.send({ ...answer, jsonrpc: '2.0', id });
  };

  return {
    begin(request) {
      const ending = new AbortController();
      running.set(request.id, ending);
      void run(request, ending);
    },
    cancel(id, reason) {
      const ending = running.get(id);
      ending?.abort(reason);
      return ending !== undefined;
    },
    cancelAll() {
      for (const ending of running.values()) ending.abort();
    },
  };
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
