import type { StreamBody } from '../../wire/stream-body.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { FileItem } from '../declared.ts';

/** Tells how far the files are, in items and bytes. What is told only ever grows. */
export interface TransferProgress {
  /** The same body, counted as it leaves. */
  counted(item: number, body: Buffer | StreamBody): Buffer | StreamBody;
  arrived(item: number): void;
}

/** Not every chunk is news. Bytes. */
const step = 1024 * 1024;

/** Tells the caller how many bytes of a submission were transferred. */
export function startTransferProgress(
  files: readonly FileItem[],
  tell: Delivery['progress'],
): TransferProgress {
  const total = files.reduce((sum, { file }) => sum + file.contentLength, 0);
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
      return { length: body.length, open: () => open(body) };
    },
    arrived(item) {
      done.add(item);
      sent.set(item, files[item]?.file.contentLength ?? 0);
      report(1);
    },
  };
}

function inMb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
