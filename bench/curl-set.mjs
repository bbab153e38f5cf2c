// The requests that make a Set, sent by curl, and the digests that a careful client takes first, by openssl.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

/** Makes a Set of `cards` and answers when the service says that it has succeeded. */
export async function makeSetWithCurl({ baseUrl, token, atOnce, set, cards }) {
  await run('openssl', ['dgst', '-sha256', ...cards.map(({ path }) => path)]);
  const declared = cards.map(({ filename, length, targetId }, position) => ({
    itemId: randomUUID(),
    position,
    targetKind: 'episode',
    targetId,
    slot: 'titlecard',
    filename,
    contentType: 'image/jpeg',
    contentLength: length,
    selectedSourceFrame: null,
  }));
  const submissions = `${baseUrl}/me/set-uploads`;
  const head = [option('header', `Authorization: Bearer ${token}`)];
  const ask = async (url, body) => {
    const json = body === undefined ? [] : [option('json', JSON.stringify(body))];
    return JSON.parse(await curl([...head, option('url', url), ...json])).submission;
  };
  const { submissionId } = await ask(submissions, {
    ...set,
    clientMutationId: randomUUID(),
    setKind: 'media_set',
    description: null,
    editionId: null,
    destination: null,
    declaredFiles: declared,
  });
  const transfers = declared.flatMap(({ itemId, filename }, position) => [
    ...(position === 0 ? [] : ['next']),
    ...head,
    option('url', `${submissions}/${submissionId}/assets?itemId=${itemId}`),
    option('request', 'POST'),
    option('upload-file', cards[position].path),
    option('header', 'Content-Type: image/jpeg'),
    option('header', `X-Upload-Filename: ${filename}`),
    option('output', '/dev/null'),
    option('write-out', '%{http_code}\\n'),
  ]);
  const statuses = await curl(['parallel', option('parallel-max', atOnce), ...transfers]);
  const arrived = statuses.match(/^201$/gm)?.length ?? 0;
  if (arrived !== cards.length) throw new Error(`curl: ${arrived} of ${cards.length} files arrived`);
  await ask(`${submissions}/${submissionId}/complete`, {});
  const { outcome } = await ask(`${submissions}/${submissionId}`);
  if (outcome !== 'succeeded') throw new Error(`curl: the Set ended ${outcome}`);
}

/** Its options go through stdin: the access token stands on no command line. */
function curl(lines) {
  return run('curl', ['--noproxy', '*', '-sS', '-K', '-'], `${lines.join('\n')}\n`);
}

function option(name, value) {
  return `${name} = "${String(value).replace(/[\\"]/g, '\\$&')}"`;
}

async function run(command, args, input = '') {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${complaint.slice(-500)}`);
  return printed;
}
