type Sparse<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** What is given of the members that a shape names. */
export function givenOf<Name extends string, Members extends { readonly [Each in Name]?: unknown }>(
  shape: Readonly<Record<Name, unknown>>,
  members: Members,
): Sparse<Pick<Members, Name>> {
  const named = Object.entries(members).filter(([name]) => Object.hasOwn(shape, name));
  return sparse(Object.fromEntries(named) as Pick<Members, Name>);
}

/** Only what is given: a member that is left out stays as it is on the service, null is a value. */
export function sparse<Members extends object>(members: Members): Sparse<Members> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Sparse<Members>;
}
