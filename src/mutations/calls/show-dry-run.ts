import type { Outgoing } from '../before-claim/outgoing.ts';
import { namedTarget, nameOfService } from '../names.ts';
import type { MutationResult } from '../result.ts';
import type { Session } from '../session.ts';
import { toBeTouchedBy } from '../touched.ts';
import { callStepsOf } from './call-steps.ts';

/** The answer to a dry run: what would be made or touched, and the requests that would be sent. */
export function showDryRun(
  { service }: Pick<Session, 'service'>,
  { mutation, warnings, names = {} }: Outgoing,
): MutationResult {
  const { clientMutationId, operation, target } = mutation;
  const id = toBeTouchedBy({ clientMutationId, operation, target, names });
  const { counts, requests, ...items } = callStepsOf(mutation).show(mutation, names);
  return {
    outcome: 'dry_run',
    clientMutationId,
    operation,
    service: nameOfService(service),
    ...(id === null ? {} : { id }),
    target: namedTarget(target, names),
    ...(counts === undefined ? {} : { counts }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...items,
    requests,
  };
}
