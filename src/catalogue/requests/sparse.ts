type Sparse<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Only what is given: a member that is left out stays as it is on the service, null is a value. */
export function sparse<Members extends object>(members: Members): Sparse<Members> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Sparse<Members>;
}
