// Reads show 1 of the base URL that is its argument, and prints it or the error: settings that only Node
// reads at its start need a process of their own.
import { createCatalogue } from '../../src/catalogue/client.ts';
import { ArtworkError } from '../../src/errors.ts';

const [baseUrl = ''] = process.argv.slice(2);
const catalogue = createCatalogue({
  userAgent: 'artwork-mcp/0.0.0-test',
  locate: async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin }),
});
try {
  process.stdout.write(JSON.stringify(await catalogue.readEntity('show', 1)));
} catch (error) {
  if (!(error instanceof ArtworkError)) throw error;
  process.stdout.write(JSON.stringify({ category: error.category, message: error.message }));
}
await catalogue.close();
