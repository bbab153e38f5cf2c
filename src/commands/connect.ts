import { createInterface } from 'node:readline';
import { withServices } from '../app/services.ts';
import type { Connections } from '../connection/connections.ts';
import type { SignedIn, SignIn, SignInRequest } from '../connection/sign-in.ts';
import { ArtworkError } from '../errors.ts';
import { noteLine, printLine } from '../terminal.ts';
import { type Command, counted } from './command.ts';

export const command: Command = {
  summary: 'signs in on the service, and stores the connection of the selected user',
  usage: 'artwork-mcp connect [--scopes "a b"] [--no-browser] [--replace]',
  options: {
    'no-browser': { about: 'opens no browser: you open the address yourself, also on another machine' },
    replace: { about: 'signs in again where the key to the stored connection is lost' },
  },
  words: 0,
  run: ({ settings, options }) =>
    withServices(settings, async ({ parts }) => {
      const { connections } = await parts.account();
      const noBrowser = options['no-browser'] === true;
      const request = { scopes: settings.scopes, replace: options.replace === true };
      const signIn = await begin(connections, request, noBrowser);
      noteLine('To sign in, open this address in a browser:');
      printLine(signIn.url);
      if (!noBrowser) await openInBrowser(signIn.url);
      explain(signIn);
      const stopReading = readPastedAddresses(signIn);
      tell(await signIn.done.finally(stopReading));
    }),
};

/** Where the browser is on another machine the callback is pasted: then another program may hold the port. */
async function begin(connections: Connections, request: SignInRequest, noBrowser: boolean): Promise<SignIn> {
  try {
    return await connections.signIn(request);
  } catch (error) {
    if (!noBrowser || !(error instanceof ArtworkError) || error.code !== 'port_taken') throw error;
    return connections.signIn({ ...request, listen: false });
  }
}

/** The address is printed too, for where there is no browser or no desktop. */
async function openInBrowser(address: string): Promise<void> {
  const { default: open } = await import('open');
  const started = await open(address).catch(() => null);
  // An error after the start shows in the browser.
  started?.on('error', () => undefined);
  if (started !== null) noteLine('Your browser should open it now.');
}

function explain({ listening, expiresAt }: SignIn): void {
  noteLine(
    listening
      ? 'If your browser is on another machine, copy the address of its last page and paste it here.'
      : 'Another program uses the callback port. Sign in, then copy the address of the last page and paste it here.',
  );
  const minutes = Math.max(1, Math.round((Date.parse(expiresAt) - Date.now()) / 60_000));
  const until = new Date(expiresAt).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  noteLine(`This waits for ${counted(minutes, 'minute')}, until ${until}.`);
}

/** A wrong address is reported, and the sign-in waits on. The end of stdin ends nothing. */
function readPastedAddresses(signIn: SignIn): () => void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    signIn.paste(line.trim()).catch((error: unknown) => {
      if (!(error instanceof ArtworkError)) throw error;
      noteLine(error.message);
    });
  });
  return () => {
    lines.close();
    process.stdin.unref?.();
  };
}

function tell({ account, subject, permissions, leftOne }: SignedIn): void {
  noteLine(`Connected as ${account ?? subject ?? 'an account whose name the service did not tell'}.`);
  for (const sentence of permissions) noteLine(sentence);
  if (leftOne)
    noteLine("Your account's Apps area may still list the earlier connection. You can end it there.");
}
