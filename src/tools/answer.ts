import { z } from 'zod';

/** All that hosts are told of the answer of a read: to name each member would cost a conversation more than it tells. */
export const readAnswer = z.looseObject({ data: z.unknown() });

/** An answer without the members that say nothing: those without a value, and an empty list of warnings. */
export function answerOf<Members extends { readonly data: unknown }>(members: Members) {
  const told = Object.entries(members).filter(
    ([name, value]) =>
      value !== undefined && !(name === 'warnings' && Array.isArray(value) && value.length === 0),
  );
  return { structured: { ...Object.fromEntries<unknown>(told), data: members.data } };
}

/** As many of the first elements as have room in so many characters of JSON; always one, so that paging moves on. */
export function fitting<Element>(elements: readonly Element[], room: number): Element[] {
  let left = room;
  const end = elements.findIndex((element, at) => {
    left -= (JSON.stringify(element)?.length ?? 4) + 1;
    return left < 0 && at > 0;
  });
  return elements.slice(0, end < 0 ? elements.length : end);
}
