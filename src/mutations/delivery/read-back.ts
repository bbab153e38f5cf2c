import { ArtworkError } from '../../errors.ts';
import type { Observations } from '../answer/answer.ts';
import type { Delivery } from './delivery.ts';
import type { Finding } from '../finding.ts';

/**
 * A body that is only assumed may be accepted and yet not be understood: what the service says it did is read
 * back, and a difference is told. It changes nothing about the outcome, which is the service's word.
 */
export async function readBack(delivery: Delivery, savedId: string | null): Promise<Observations> {
  const { mutation } = delivery.outgoing;
  if (mutation.request().identity !== 'assumed') return {};
  const finding = await show(delivery, savedId);
  if (finding === null) {
    return warning('not_read_back', 'The service said that it was done; it could not be read back.');
  }
  if (finding.found === 'nothing') {
    const message = `The service said that it was done, but what was read back does not show it: ${finding.says}`;
    return warning('read_back_differs', message);
  }
  return { updatedAt: finding.kept.updatedAt };
}

async function show(delivery: Delivery, savedId: string | null): Promise<Finding | null> {
  const { mutation, progress } = delivery.outgoing;
  const look = { owned: delivery.ports.owned, progress, call: { signal: delivery.signals.closing } };
  if (mutation.confirm !== undefined && savedId === null) return null;
  try {
    return mutation.confirm === undefined || savedId === null
      ? await mutation.find(look)
      : await mutation.confirm(look, savedId);
  } catch (error) {
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

function warning(code: string, message: string): Observations {
  return { warnings: [{ code, message }] };
}
