import { createTitleIndex, type TitleIndex } from '../../../src/curation/find/title-index.ts';
import { createLog } from '../../../src/log.ts';
import { temporaryFolder } from '../../support/temporary.ts';

export interface IndexUnderTest {
  readonly home: string;
  readonly index: TitleIndex;
  /** Another one on the same file, as another process has it. */
  open(): TitleIndex;
  /** What the log was told. */
  readonly told: string[];
  stop(): Promise<void>;
}

export async function startIndex(now: () => number = Date.now): Promise<IndexUnderTest> {
  const folder = await temporaryFolder();
  const told: string[] = [];
  const opened: TitleIndex[] = [];
  const open: IndexUnderTest['open'] = () => {
    const index = createTitleIndex({
      home: folder.path,
      service: 'https://catalogue.example/api',
      log: createLog('info', (line) => told.push(line)),
      now,
    });
    opened.push(index);
    return index;
  };
  return {
    home: folder.path,
    index: open(),
    open,
    told,
    async stop() {
      for (const index of opened) await index.close();
      await folder.remove();
    },
  };
}
