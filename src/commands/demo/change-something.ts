import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../command.ts';
import { orderFault } from './catalogue.ts';
import type { Transcript } from './transcript.ts';

const ids = z.object({ ids: z.array(z.string()) });
const uploaded = z.object({ id: z.object({ id: z.string() }), updatedAt: z.string() });
const destination = z.object({
  data: z.array(z.object({ target: z.object({ id: z.int(), kind: z.string(), title: z.string() }) })),
});
const unresolved = z.object({
  outcome: z.literal('unresolved'),
  next: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
});
const settled = z.object({ outcome: z.literal('succeeded') });

/** Changes something, guarded: uploads, replaces, is refused for a stale revision, and resolves a lost answer. */
export async function changeSomething(
  { ask, askInVain, voice }: Transcript,
  baseUrl: string,
  pictures: string,
): Promise<void> {
  voice.chapter('Changes, each guarded');
  const found = await ask('A movie to make a poster for', 'find_upload_destinations', { kind: 'media_set' });
  const movie = destination
    .parse(found.structured)
    .data.find(({ target }) => target.kind === 'movie')?.target;
  if (movie === undefined) throw new CommandError('The account has a Set for no movie.');
  voice.asks(`Make dawn.png the poster of ${movie.title}.`);
  const drawn = await ask('Identities for four changes', 'new_mutation_ids', { count: 4 });
  const [first, second, third, fourth] = ids.parse(drawn.structured).ids;

  const add = {
    expectedUpdatedAt: 'none',
    operation: 'add',
    slot: 'poster',
    targetKind: 'movie',
    targetId: movie.id,
    languageCode: 'en',
  };
  const poster = {
    ...add,
    clientMutationId: first,
    file: await drawPoster(pictures, 'dawn.png', '#28406a', '#e8a05c'),
  };
  await ask('What an upload would send, without sending it', 'upload_asset', { ...poster, dryRun: true });
  const saved = uploaded.parse((await ask('The upload', 'upload_asset', poster)).structured);

  voice.answers(
    'First it shows what it would send. Then it is uploaded, once: the receipt names the new Asset.',
  );

  voice.asks('Put dusk.png in its place.');
  const replaced = await ask(
    'Its replacement, under the revision of the one that it replaces',
    'upload_asset',
    {
      ...add,
      clientMutationId: second,
      expectedUpdatedAt: saved.updatedAt,
      operation: 'replace',
      previousAssetId: saved.id.id,
      file: await drawPoster(pictures, 'dusk.png', '#3a2352', '#d8567a'),
    },
  );
  const { id } = uploaded.parse(replaced.structured);
  voice.answers('Replaced: what was uploaded before was still there, as it had been read.');

  voice.asks('And say that the poster is German.');
  const refused = await askInVain(
    'A change under a revision that was never read: nothing is sent',
    'edit_asset_metadata',
    {
      clientMutationId: third,
      expectedUpdatedAt: saved.updatedAt,
      assetId: id.id,
      languageCode: 'de',
    },
  );

  const [sentence = ''] = refused.text.split('\n');
  voice.answers(
    'Here the demo names the revision of the poster before. Nothing is sent, and it is told why:',
    sentence,
  );

  voice.asks('Add night.png too.');
  await orderFault(baseUrl, { method: 'POST', path: '/me/assets', do: 'cut', when: 'after' });
  voice.say('\n(The catalogue is told to save the next upload and to cut the connection before it answers.)');
  const lost = await ask(
    'An upload whose answer is lost: the outcome is not known, and said so',
    'upload_asset',
    {
      ...add,
      clientMutationId: fourth,
      file: await drawPoster(pictures, 'night.png', '#10182c', '#7aa0d8'),
    },
  );
  const { next } = unresolved.parse(lost.structured);
  settled.parse(
    (await ask('What the answer names as next: it is looked up, not sent again', next.tool, next.arguments))
      .structured,
  );
  voice.answers(
    'The connection breaks before the service has answered: whether it was saved is not known, and it says so.',
    'It is not sent again, but looked up under its own identity: it had arrived. There is one of it.',
  );
}

/** A poster of its own making: a sky of two colours and a sun. */
async function drawPoster(folder: string, name: string, above: string, below: string): Promise<string> {
  const { default: sharp } = await import('sharp');
  const file = path.join(folder, name);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1500">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient>
    <rect width="1000" height="1500" fill="url(#sky)"/><circle cx="500" cy="980" r="210" fill="#fff4d6"/>
    <path d="M0 1180 L280 1010 L520 1200 L760 1040 L1000 1190 V1500 H0 Z" fill="${above}"/></svg>`;
  await sharp(Buffer.from(picture)).png().toFile(file);
  return file;
}
