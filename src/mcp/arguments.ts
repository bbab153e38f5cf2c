import { z } from 'zod';
import { slotsOf } from '../model/kinds.ts';
import { allSlots, slotNamed } from '../model/slots.ts';
import type { RevisionRule as OfOperation } from '../mutations/operations/revisions.ts';

/** A number may come as its digits: models mistake the two, and mean the same. */
function whole<Integer extends z.ZodType<number>>(integer: Integer) {
  return z.preprocess(
    (given) => (typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : given),
    integer,
  );
}

/** A number within limits, taken as a decimal string too. */
export function integerWithin(least: number, most: number) {
  return whole(z.int().min(least).max(most));
}

/** An id or a number from 0, taken as a decimal string too. */
export const integer = whole(z.int().min(0));

/** The schema of an id that is a whole number. */
export function integerId(what: string) {
  return integer.describe(what);
}

/** The id of an entity or Set that is to be read. */
export const catalogueId = whole(z.int().min(0)).meta({ description: 'id in the catalogue', brief: '' });

/** The schema of a list of whole numbers. */
export const integerList = (most: number) => z.array(whole(z.int())).max(most);

// What many tools take is told once, in the server's instructions: `brief` is what is left of it beside each argument.

/** The arguments by which a caller pages through an answer: paging of this side, whatever the service's own pages are. */
export const paging = {
  // A page's number is refused as any text that is no cursor: with the call that starts again.
  cursor: z
    .preprocess((given) => (typeof given === 'number' ? String(given) : given), z.string().max(4_000))
    .optional()
    .meta({ description: 'nextCursor of the previous answer, with the same arguments', brief: '' }),
  limit: integerWithin(1, 200)
    .default(25)
    .meta({ description: 'most items to return (default 25)', brief: '' }),
};

/** The argument that asks for a page for a person beside the answer. */
export const pageArgument = z
  .boolean()
  .optional()
  .meta({ description: 'true: also a web page for the person', brief: 'also a web page' });

const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** `YYYY-MM-DD`, in UTC. Models do not know it, and count from it what people call yesterday. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** A date, or a time with its zone. */
export const moment = z
  .string()
  .superRefine((text, context) => {
    if (dateOrTime.safeParse(text).success) return;
    const message = `neither a date nor a time with its zone; today is ${today()}`;
    context.addIssue({ code: 'custom', message });
  })
  .meta({
    description: 'a date such as 2026-11-16, or a time such as 2026-11-16T00:00:00Z; changes then or later',
    brief: 'ISO date or time',
  });

/** So far ahead of UTC a day begins where it begins first. The service's clock may also be ahead of ours. ms */
const earliestDay = 14 * 60 * 60_000;

/** From when on changes are asked for. Of the future an answer would be empty, and look as if nothing had changed. */
export const since = moment.superRefine((text, context) => {
  if (!(Date.parse(text) > Date.now() + earliestDay)) return;
  context.addIssue({ code: 'custom', message: `it lies in the future; today is ${today()}` });
});

/**
 * The arguments that guard every change: the mutation's id, the revision that is expected, the dry run.
 * @param expected what expectedUpdatedAt is for it, in a few words
 */
export function guardedArguments(expected: string) {
  return {
    clientMutationId: z.uuid().meta({
      description:
        'identity of this change: a new one from new_mutation_ids; the same one to ask for its outcome',
      brief: 'from new_mutation_ids',
    }),
    expectedUpdatedAt: z.string().min(1).max(500).nullable().meta({
      description: 'updatedAt as last read of what this changes; "none" where nothing exists yet',
      brief: expected,
    }),
    dryRun: z.boolean().optional().meta({
      description:
        'check all that can be known (file, place, scopes, revisions) and show the requests; claims and sends nothing',
      brief: '',
    }),
  };
}

/** The argument of members that a caller adds: for bodies that the interface document does not show. */
export const extraArgument = z.record(z.string(), z.unknown()).optional().meta({
  description: "further members of the body, which the service's document does not show; they override none",
  brief: 'more for the body',
});

/** A slot by its own name, that of its list (`posters`), or another that people and programs have for it. */
export const slotName = z.preprocess(
  (given) => (typeof given === 'string' ? (slotNamed(given) ?? given) : given),
  z.string().min(1).max(100),
);

interface SlotOf {
  readonly slot?: string | undefined;
  readonly targetKind?: string | undefined;
  readonly groupId?: unknown;
}

/** Takes a word for the slot that it surely means of its target: `background` is the `backdrop` of a show. */
export function slotOfKind<Given extends SlotOf>(given: Given): Given {
  const { slot, targetKind } = given;
  const slots = targetKind === undefined ? null : slotsOf(targetKind);
  if (slot === undefined || slots === null) return given;
  return { ...given, slot: slotNamed(slot, slots) ?? slot };
}

/** Refuses a slot that no such target has. What a kind has that the interface document does not name is not known. */
export function slotOfTarget({ slot, targetKind, groupId }: SlotOf, context: z.core.$RefinementCtx): void {
  if (slot === undefined) return;
  const [whose, slots] =
    groupId !== undefined
      ? ['group', ['poster']]
      : targetKind === undefined
        ? ['target', allSlots]
        : [targetKind, slotsOf(targetKind)];
  if (slots === null || slots.some((one) => one === slot)) return;
  const message = `no ${whose} has such a slot: there are ${slots.join(', ')}`;
  context.addIssue({ code: 'custom', message, path: ['slot'], input: slot, params: { values: [...slots] } });
}

export const languageCodeArgument = z
  .string()
  .min(1)
  .max(35)
  .superRefine((given, context) => {
    if (isLanguageTag(given)) return;
    const message = 'that is no BCP 47 language tag such as "en" or "pt-BR"';
    context.addIssue({ code: 'custom', message });
  });

/** Whether a text is a BCP 47 tag that begins with an ISO 639 code, in lower case as such codes are written. */
function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(-|$)/.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch (error) {
    // Thrown for what has not the form of a tag.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** `leaveOut` of the tools that take a plan. */
export const leftOutFiles = z.array(z.string().min(1).max(4_096)).max(2_000).optional().meta({
  description: 'beside planId: files that the person wants left out, as the plan shows them',
  brief: 'planned files the person wants left out',
});

/** What was left out of an answer, and the call that gets it. */
export interface OmittedSection {
  readonly section: string;
  readonly total: number | null;
  readonly returned: number;
  readonly next: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> } | null;
}

/** Members of `omitted` are OmittedSections; spelling them out in each tool's schema would cost more than it tells. */
export const readResult = z.object({
  data: z.unknown(),
  omitted: z.array(z.custom<OmittedSection>((value) => typeof value === 'object' && value !== null)),
  nextCursor: z.string().nullable(),
});

type Given = Readonly<Record<string, unknown>>;

/** Where the revision that a change rests on is read: what its operation says, or for a resume the first call. */
type CallRevisionRule = OfOperation | { readonly of: 'first_call' };

/** Tells it from the arguments at hand, which may be anything. */
export type CallRevisionSource = (given: Given) => CallRevisionRule;

/** What expectedUpdatedAt has to be, in the few words of a definition. */
export function revisionInShort(revision: CallRevisionRule): string {
  switch (revision.of) {
    case 'nothing':
      return '`none`';
    case 'asset':
    case 'set':
    case 'group':
      return 'updatedAt from get_owned';
    case 'relationship':
      return 'from list_relationships, or `none`';
    case 'first_call':
      return 'as in the first call';
  }
}
