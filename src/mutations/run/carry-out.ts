import { execute } from './execute.ts';
import type { Run, RunEnd } from './run.ts';
import { singleEffects } from './single-effects.ts';
import { singleWay } from './single-way.ts';
import { submissionEffects } from './submission-effects.ts';
import { submissionWay } from './submission-way.ts';

/** Carries a change from wherever its journal stands to its end, or until it has to be left open. */
export function carryOut(run: Run): Promise<RunEnd> {
  const { mutation, names } = run.prepared;
  switch (mutation.by) {
    case 'request':
    case 'upload':
      return execute(run, singleWay(mutation), singleEffects(run));
    case 'submission': {
      const { clientMutationId, declared } = mutation;
      const way = submissionWay({ clientMutationId, declared, names });
      return execute(run, way, submissionEffects(run, declared));
    }
  }
}
