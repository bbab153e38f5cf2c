import { z } from 'zod';
import { CommandError } from '../command.ts';

const effects = z.object({
  effects: z.array(z.object({ operation: z.string(), clientMutationId: z.string().nullable() })),
});

/** Tells the embedded catalogue how to fail, or to dawdle, with one of its next requests. */
export async function orderFault(baseUrl: string, fault: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(`${baseUrl}/.sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  await answer.body?.cancel();
  if (answer.status !== 201)
    throw new CommandError(`The catalogue would not take a fault (${answer.status}).`);
}

/** Forgets what is still ordered. */
export async function forgetFaults(baseUrl: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/.sandbox/faults`, { method: 'DELETE' });
  await answer.body?.cancel();
}

/** What the catalogue has really done under an identity, and how often. */
export async function countEffects(
  baseUrl: string,
  clientMutationId: string,
): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${baseUrl}/.sandbox/effects`);
  const counts = new Map<string, number>();
  for (const effect of effects.parse(await answer.json()).effects) {
    if (effect.clientMutationId !== clientMutationId) continue;
    counts.set(effect.operation, (counts.get(effect.operation) ?? 0) + 1);
  }
  return counts;
}
