import type { View } from '../../ledger/standing.ts';
import type { Job } from '../job.ts';
import type { MutationPorts } from '../ports.ts';
import { record } from '../record.ts';
import { type Notes, notesAsJson } from './notes.ts';

/** Somebody else has the submission now, or a person gave it up: nothing may be sent for it any more. */
export class TakenOver extends Error {
  readonly view: View;

  constructor(view: View) {
    super('the submission was taken over');
    this.view = view;
  }
}

/** What is noted of a submission while it is worked on. */
export interface Notebook {
  readonly notes: Notes;
  /** In the ledger when it resolves. @throws TakenOver; why it could not be written */
  write(changes: Partial<Notes>): Promise<void>;
  /** The service has accepted it: from now on it is `processing`. @throws as `write` */
  accept(changes: Partial<Notes>): Promise<void>;
}

/** Several items note at the same time: one after the other, each all that is known by then. */
export function openNotebook(ports: MutationPorts, job: Job, first: Notes): Notebook {
  let notes = first;
  let last: Promise<void> = Promise.resolve();

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const written = async (accepted: boolean): Promise<void> => {
    const progress = notesAsJson(notes);
    const { held, view } = await record(ports, job, () =>
      accepted
        ? job.ledger.accept(job.held, { receipt: null, progress })
        : job.ledger.note(job.held, progress),
    );
    if (!held) throw new TakenOver(view);
  };
  const change = (changes: Partial<Notes>, accepted: boolean): Promise<void> => {
    notes = { ...notes, ...changes };
    return inTurn(() => written(accepted));
  };
  return {
    get notes() {
      return notes;
    },
    write: (changes) => change(changes, false),
    accept: (changes) => change(changes, true),
  };
}
