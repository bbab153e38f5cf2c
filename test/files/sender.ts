// Sends files in a process of its own: sender BASE_URL ROOT, then told one file a line; says the most memory it ever held.
import { createInterface } from 'node:readline';
import { path as below } from '../../src/catalogue/call.ts';
import { createCatalogue } from '../../src/catalogue/client.ts';
import { openUploadFile } from '../../src/files/open-file.ts';
import { hashFile } from '../../src/files/upload-bytes.ts';

const [, , baseUrl = '', root = ''] = process.argv;
const catalogue = createCatalogue({
  locate: async () => ({ baseUrl, assetOrigin: new URL(baseUrl).origin }),
  userAgent: 'artwork-mcp/0.0.0-test',
});
for await (const file of createInterface({ input: process.stdin })) {
  const bytes = await hashFile(await openUploadFile(file, { configured: [root], host: [] }));
  const headers = { 'content-type': 'image/png', 'x-upload-sha256': bytes.sha256 };
  const outcome = await catalogue.send({
    path: below`/me/assets`,
    headers,
    body: bytes.body(),
    bearer: 'token',
  });
  await bytes.close();
  const mostMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(`${JSON.stringify({ outcome: outcome.outcome, sha256: bytes.sha256, mostMb })}\n`);
}
await catalogue.close();
