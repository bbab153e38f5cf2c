import { z } from 'zod';
import type { OwnRecords } from '../../storage/records.ts';

/** A plan that takes room: all its ids, the whole plan's first, and the characters of its JSON. */
const storedPlan = z.strictObject({ ids: z.array(z.uuid()).min(1), size: z.int().min(0) });
const list = z.array(storedPlan);
type StoredPlan = z.output<typeof storedPlan>;

const key = 'shelf';

/**
 * Makes room for a plan: the oldest ones go where all together would take more than `most`. The list of them is only
 * an aid. What two processes write to it at once may be forgotten, and what is forgotten goes when its time is over.
 */
export async function makeRoomForPlan(
  records: OwnRecords,
  plan: StoredPlan,
  most: number,
  keepMs: number,
): Promise<void> {
  const parsed = list.safeParse(await records.get(key));
  const all = [...(parsed.success ? parsed.data : []), plan];
  let size = all.reduce((sum, each) => sum + each.size, 0);
  const kept = all.filter((each) => {
    const stays = size <= most || each === plan;
    if (!stays) size -= each.size;
    return stays;
  });
  await records.set(key, kept, keepMs);
  for (const { ids } of all.filter((each) => !kept.includes(each))) {
    for (const id of ids) await records.remove(id);
  }
}
