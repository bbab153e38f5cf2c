import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createLog } from '../../src/log.ts';
import { readSettings } from '../../src/settings.ts';
import type { Host } from './follower.ts';
import { temporaryFolder } from './temporary.ts';

export interface InProcess extends Host {
  readonly home: string;
  /** All that was written to the log. */
  log(): string;
  close(): Promise<void>;
}

/** The tools in this process, with a data directory of their own: what a host would start, without its frames. */
export async function startInProcess(env: Readonly<Record<string, string>>): Promise<InProcess> {
  const folder = await temporaryFolder();
  const home = `${folder.path}/home`;
  let log = '';
  const app = createApp(
    readSettings({ HOME: folder.path, ARTWORK_HOME: home, ARTWORK_INDEX: 'off', ...env }),
    createLog('debug', (line) => {
      log += `${line}\n`;
    }),
  );
  return {
    home,
    log: () => log,
    async call(tool, args) {
      const nothing = async () => {};
      const environment = { progress: nothing, roots: async () => [] };
      const answered = await app.dispatch(tool, args, {
        signal: new AbortController().signal,
        ...environment,
      });
      if (answered === null) throw new Error(`There is no ${tool}.`);
      const result: CallToolResult = { ...answered.result };
      return result;
    },
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}

/** The same for one test. */
export async function inProcess(env: Readonly<Record<string, string>>): Promise<InProcess> {
  const started = await startInProcess(env);
  onTestFinished(() => started.close());
  return started;
}
