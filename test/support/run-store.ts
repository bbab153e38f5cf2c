import { startPostgres } from './postgres.ts';

/** Before all tests: the server that they run on, where they are to run on PostgreSQL. Answers what ends it. */
export default async function startRunStore(): Promise<() => Promise<void>> {
  if (process.env.ARTWORK_TEST_STORE !== 'postgres') return async () => {};
  const server = await startPostgres();
  process.env.ARTWORK_TEST_STORE = server.url;
  return () => server.end();
}
