import { z } from 'zod';
import { readCredentials } from '../../sandbox/account/accounts.ts';
import { dataFolder } from '../../sandbox/launch.ts';
import { CommandError } from '../command.ts';
import { signInAndAnswerConsent } from './sign-in.ts';
import type { Transcript } from './transcript.ts';
import { Visitor } from './visitor.ts';
import type { Voice } from './voice.ts';

const waiting = z.object({ url: z.url() });
const destinations = z.object({ data: z.array(z.object({ id: z.int(), title: z.string() })) });
const status = z.object({ account: z.string(), explanation: z.string() });
const ownedSet = z.object({ data: z.object({ assets: z.array(z.object({ id: z.string() })) }) });

/** Signs in through the pages that a person sees, by HTTP, then reads what the account owns. */
export async function readWhatIsMine({ ask, voice }: Transcript, home: string): Promise<void> {
  voice.chapter('Your account');
  voice.asks('Connect my account.');
  const begun = await ask(
    'Connect an account: the answer names the page for the person',
    'connect_account',
    {},
  );
  voice.answers(
    'It answers with an address of the service. There you sign in, and see what it may do for you.',
  );
  await signInAsPerson(voice, waiting.parse(begun.structured).url, home);
  const { account, explanation } = status.parse(
    (await ask('How the sign-in went', 'account_status', {})).structured,
  );
  voice.answers(
    `Here the demo did so as ${account}. ${explanation} No password and no token went through the chat.`,
  );

  voice.asks('Which Sets of mine can artwork go into?');

  const found = await ask('Own Sets that artwork can go into', 'find_upload_destinations', {
    kind: 'media_set',
  });
  const own = destinations.parse(found.structured).data;
  voice.answers(...own.slice(0, 3).map(({ title }) => `“${title}”`), `… ${own.length} on the first page.`);
  const [set] = own;
  if (set === undefined) throw new CommandError('The account owns no Set.');
  const owned = await ask('One of them, with its revision', 'get_owned', {
    type: 'set',
    id: set.id,
    limit: 3,
  });
  const [asset] = ownedSet.parse(owned.structured).data.assets;
  if (asset === undefined) throw new CommandError('The Set holds no Asset.');
  await ask('An Asset of it, with its own', 'get_owned', { type: 'asset', id: asset.id });
  await ask('Whom the account follows and hides', 'list_relationships', { limit: 3 });
}

async function signInAsPerson(voice: Voice, url: string, home: string): Promise<void> {
  const [account] = await readCredentials(dataFolder(home));
  if (account === undefined) throw new CommandError('The embedded catalogue has no account.');
  voice.say(`(A person opens the page, signs in as ${account.name} and agrees.)`);
  const callback = await signInAndAnswerConsent(new Visitor(), url, account);
  const answer = await fetch(callback);
  await answer.body?.cancel();
  voice.say(`(The callback page answered ${answer.status}.)`);
}
