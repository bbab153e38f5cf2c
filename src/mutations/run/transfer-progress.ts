import type { StreamBody } from '../../http/exchange.ts';
import type { FileItem } from '../submission.ts';
import type { Run } from './run.ts';

/** Tells how far the files are, in items and bytes. What is told only ever grows. */
export interface TransferProgress {
  /** The same body, counted as it leaves. */
  counted(item: number, body: Buffer | StreamBody): Buffer | StreamBody;
  /** Harmless when repeated. */
  arrived(item: number): void;
}

/** Not every chunk is news. Bytes. */
const leastStep = 1024 * 1024;
/** Nor is every file of many: a host that shows each message would show little else. */
const mostSteps = 100;

/** Tells the caller how many bytes of a submission were transferred. */
export function startTransferProgress(files: readonly FileItem[], tell: Run['progress']): TransferProgress {
  const total = files.reduce((sum, { file }) => sum + file.contentLength, 0);
  const step = Math.max(leastStep, total / mostSteps);
  const sent = new Map<number, number>();
  const done = new Set<number>();
  let told = 0;
  const report = (least: number) => {
    const bytes = [...sent.values()].reduce((sum, one) => sum + one, 0);
    // An item that has arrived is news too, even where its last byte was told before.
    const far = bytes + done.size;
    if (far < told + least) return;
    told = far;
    const items = `${done.size} of ${files.length} items`;
    tell(far, total + files.length, `${items}, ${inMb(bytes)} of ${inMb(total)} MB sent`);
  };
  return {
    counted(item, body) {
      sent.set(item, 0);
      if (Buffer.isBuffer(body)) return body;
      async function* open(source: StreamBody) {
        for await (const chunk of source.open()) {
          sent.set(item, (sent.get(item) ?? 0) + chunk.length);
          report(step);
          yield chunk;
        }
      }
      return { ...body, open: () => open(body) };
    },
    arrived(item) {
      if (done.has(item)) return;
      done.add(item);
      sent.set(item, files[item]?.file.contentLength ?? 0);
      report(files.length <= mostSteps || done.size === files.length ? 1 : step);
    },
  };
}

function inMb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
