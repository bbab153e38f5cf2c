import { type Sandbox, serveSandbox } from '../../src/sandbox/serve.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

export interface Embedded {
  readonly sandbox: Sandbox;
  readonly dataDir: string;
  now(): Date;
  /** Moves the catalogue's clock ahead. */
  pass(milliseconds: number): void;
  stop(): Promise<void>;
}

export const snapshotLifetimeMs = 60_000;

/** An embedded catalogue in this process, below a path prefix, with a clock that the test moves. */
export async function startEmbedded(): Promise<Embedded> {
  const folder = await temporaryFolder();
  await fillFolder(folder.path);
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const sandbox = await serveSandbox({
    dataDir: folder.path,
    port: 0,
    basePath: '/catalogue/v1',
    snapshotLifetimeMs,
    now,
  });
  return {
    sandbox,
    dataDir: folder.path,
    now,
    pass(milliseconds) {
      ahead += milliseconds;
    },
    async stop() {
      await sandbox.close();
      await folder.remove();
    },
  };
}
