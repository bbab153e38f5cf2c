import type { OwnersCatalogue } from './me-catalogue.ts';

/** The effects that carry an identity, as the names of their operations. */
export function effectsOf(catalogue: OwnersCatalogue, clientMutationId: string): string[] {
  return catalogue.database
    .all('SELECT operation FROM effects WHERE client_mutation_id = ? ORDER BY sequence', clientMutationId)
    .map((row) => row.text('operation'));
}

/** Public data. */
export async function publicData(catalogue: OwnersCatalogue, path: string): Promise<Record<string, unknown>> {
  const body: unknown = await (await fetch(catalogue.baseUrl + path)).json();
  return Object(body).data;
}
