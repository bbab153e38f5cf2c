import { z } from 'zod';
import { languageCode } from '../catalogue/request.ts';
import type { RevisionRule as RuleOfOperation } from '../mutations/operations/revisions.ts';

// The arguments that several tools share. What hosts do to them (digits, null, lists as text) is undone in one place,
// read-arguments.ts. `means` tells that place which words a text stands for. `brief` is what a host is told of an
// argument; the reference has the description. What many tools take is told once, in the server's instructions.

/** An id or a number from 0. */
export const integer = z.int().min(0);

/** A number within limits. */
export function integerWithin(least: number, most: number) {
  return z.int().min(least).max(most);
}

/** The schema of an id that is a whole number. */
export function integerId(what: string) {
  return integer.describe(what);
}

/** The id of an entity or Set that a call reads. */
export const catalogueId = integer.meta({ description: 'id in the catalogue', brief: '' });

/** The arguments by which a caller pages through an answer. These pages are ours, whatever the service's own are. */
export const paging = {
  cursor: z
    .string()
    .max(4_000)
    .optional()
    .meta({ description: 'nextCursor of the previous answer, with the same arguments', brief: '' }),
  limit: integerWithin(1, 200)
    .default(25)
    .meta({ description: 'the most items to return (default 25)', brief: '' }),
};

/** The argument that asks for a page for a person beside the answer. */
export const pageArgument = z
  .boolean()
  .optional()
  .meta({ description: 'true: also a web page for the person', brief: 'also a web page' });

const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** `YYYY-MM-DD`, in UTC. Models don't know the date, and need it to work out what a person calls yesterday. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** A date, or a time with its zone. */
export const moment = z
  .string()
  .superRefine((text, context) => {
    if (dateOrTime.safeParse(text).success) return;
    const message = `must be a date, or a time with its zone: today is ${today()}`;
    context.addIssue({ code: 'custom', message });
  })
  .meta({
    description: 'a date such as 2026-11-16, or a time such as 2026-11-16T00:00:00Z; changes then or later',
    brief: 'ISO date or time',
  });

/** The first time zone begins a day so long before UTC. The service's clock may also be ahead of ours. ms */
const earliestDay = 14 * 60 * 60_000;

/** The time from which changes are asked for. An answer of the future would look as if nothing had changed. */
export const since = moment.superRefine((text, context) => {
  if (!(Date.parse(text) > Date.now() + earliestDay)) return;
  context.addIssue({ code: 'custom', message: `lies in the future: today is ${today()}` });
});

/** A slot by its own name, that of its list (`posters`), or another that people and programs have for it. */
export const slotName = z.string().min(1).max(100).meta({ means: 'slot' });

/** The same of one target, or of any: a slot that no such target has is refused. */
export const slotOfTarget = slotName.meta({ means: 'slot of its target' });

/** A BCP 47 language tag. */
export const languageCodeArgument = languageCode;

/** What an answer leaves out, and the call that gets it. */
export interface OmittedSection {
  readonly section: string;
  readonly total: number | null;
  readonly returned: number;
  readonly next: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> } | null;
}

/** Where the revision that a change rests on is read: what its operation says, or for a resume the first call. */
export type RevisionRule = RuleOfOperation | { readonly of: 'first_call' };

/** Tells it from the arguments at hand, which may be anything. */
export type CallRevisionSource = (given: Readonly<Record<string, unknown>>) => RevisionRule;
