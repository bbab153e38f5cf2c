import { z } from 'zod';
import { readCredentials } from '../../sandbox/account/accounts.ts';
import { dataFolder } from '../../sandbox/launch.ts';
import { CommandError } from '../command.ts';
import { signInAndAnswerConsent } from './sign-in.ts';
import { type Ask, say } from './transcript.ts';
import { Visitor } from './visitor.ts';

const waiting = z.object({ url: z.url() });
const destinations = z.object({ data: z.array(z.object({ id: z.int() })) });
const ownedSet = z.object({ data: z.object({ assets: z.array(z.object({ id: z.string() })) }) });

/** Signs in through the pages that a person sees, by HTTP, then reads what the account owns. */
export async function readWhatIsMine(ask: Ask, home: string): Promise<void> {
  const begun = await ask(
    'Connect an account: the answer names the page for the person',
    'connect_account',
    {},
  );
  await signInAsPerson(waiting.parse(begun.structured).url, home);
  await ask('How the sign-in went', 'account_status', {});

  const found = await ask('Own Sets that artwork can go into', 'find_upload_destinations', {
    kind: 'media_set',
  });
  const [set] = destinations.parse(found.structured).data;
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

async function signInAsPerson(url: string, home: string): Promise<void> {
  const [account] = await readCredentials(dataFolder(home));
  if (account === undefined) throw new CommandError('The embedded catalogue has no account.');
  say(`(A person opens the page, signs in as ${account.name} and agrees.)`);
  const callback = await signInAndAnswerConsent(new Visitor(), url, account);
  const answer = await fetch(callback);
  await answer.body?.cancel();
  say(`(The callback page answered ${answer.status}.)`);
}
