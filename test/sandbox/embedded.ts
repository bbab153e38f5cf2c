import { openFolder } from '../../src/sandbox/process/folder.ts';
import { type CatalogueServer, type ServerOptions, serveCatalogue } from '../../src/sandbox/server.ts';
import { fillFolder } from '../support/filled.ts';
import { temporaryFolder } from '../support/temporary.ts';

export interface Embedded {
  readonly sandbox: CatalogueServer;
  readonly dataDir: string;
  now(): Date;
  /** Moves the catalogue's clock ahead. */
  pass(milliseconds: number): void;
  stop(): Promise<void>;
}

export const snapshotLifetimeMs = 60_000;

/** An embedded catalogue in this process, below a path prefix, with a clock that the test moves. */
export async function startEmbedded(options: Partial<ServerOptions> = {}): Promise<Embedded> {
  const temporary = await temporaryFolder();
  const dataDir = temporary.path;
  await fillFolder(dataDir);
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const folder = await openFolder(dataDir);
  const sandbox = await serveCatalogue({
    ...{ dataDir, folder, port: 0, basePath: '/catalogue/v1', snapshotLifetimeMs, now },
    ...options,
  });
  return {
    sandbox,
    dataDir,
    now,
    pass(milliseconds) {
      ahead += milliseconds;
    },
    async stop() {
      await sandbox.close();
      await temporary.remove();
    },
  };
}
