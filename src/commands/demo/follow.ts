import { z } from 'zod';
import { CommandError } from '../command.ts';
import type { Ask } from './transcript.ts';

const item = z.object({
  itemId: z.string(),
  status: z.string(),
  slot: z.string(),
  target: z.object({ kind: z.string(), id: z.int() }),
  assetId: z.string().optional(),
});

const result = z.object({
  outcome: z.string(),
  clientMutationId: z.string(),
  updatedAt: z.string().optional(),
  id: z.looseObject({ kind: z.string(), id: z.union([z.int(), z.string()]).nullable() }).optional(),
  items: z.array(item).optional(),
  next: z
    .object({ tool: z.string().optional(), arguments: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});

/** How a submission stands, as far as the demo goes by it. */
export type Submitted = z.output<typeof result>;

/** Does what each answer names as next, to the letter, until the submission has an outcome. */
export async function followToOutcome(ask: Ask, structured: unknown): Promise<Submitted> {
  let answer = result.parse(structured);
  while (answer.outcome === 'processing' || answer.outcome === 'unresolved') {
    const { tool, arguments: args } = answer.next ?? {};
    if (tool === undefined || args === undefined) throw new CommandError('The answer above names no call.');
    answer = result.parse((await ask('What the answer names as next', tool, args)).structured);
  }
  return answer;
}

/** A submission that ended so, of a Set that there is now. @throws CommandError where it ended otherwise */
export function requireOutcome(
  { outcome, id, updatedAt, items = [] }: Submitted,
  wanted: 'succeeded' | 'partial',
) {
  if (outcome !== wanted) throw new CommandError(`It ended ${outcome}, and should have ended ${wanted}.`);
  const setId = id?.id;
  if (typeof setId !== 'number' || updatedAt === undefined)
    throw new CommandError('The answer above names no Set.');
  return { setId, updatedAt, items };
}
