import { deadlineIn } from '../../../src/deadline.ts';
import type { Artist } from '../artist.ts';
import { type Told, told } from '../told.ts';

/** A call that is waited for as long as it takes, however busy the machine is and however fast the clock. */
export const patient = { deadline: deadlineIn(1_000_000_000) };

/** Asks how it stands until nobody works on it any more. */
export async function untilSettled({ mutations }: Artist, clientMutationId: string): Promise<Told> {
  for (;;) {
    const answer = await told(mutations.status(clientMutationId));
    if (answer.next?.tool !== 'get_mutation_status') return answer;
  }
}
