import { startStdioClient, type StdioClient } from '../../mcp/client.ts';

/** What hosts the server: starts it, calls its tools, and can start another in its place. */
export interface Host {
  /** @throws Error where the server ends before it has answered */
  readonly call: StdioClient['call'];
  /** Of the server that runs now. */
  pid(): number;
  /** Ends the server's process as a crash does, without a chance to tidy up. Answers which process it was. */
  kill(): number;
  /** A new process in the place of the one that was killed. Answers which one it is. */
  startAnew(): Promise<number>;
  /** For good. Harmless when repeated. */
  close(): Promise<void>;
}

/** Starts the server as a host does, so that the story can call its tools, kill it and start it again. */
export async function startHost(how: Parameters<typeof startStdioClient>[0]): Promise<Host> {
  let client = await startStdioClient(how);
  let closed = false;
  return {
    call: (...asked) => client.call(...asked),
    pid: () => client.pid,
    kill() {
      const { pid } = client;
      process.kill(pid, 'SIGKILL');
      return pid;
    },
    async startAnew() {
      await client.close();
      if (closed) throw new Error('The host has ended.');
      client = await startStdioClient(how);
      if (closed) await client.close();
      return client.pid;
    },
    async close() {
      closed = true;
      await client.close();
    },
  };
}
