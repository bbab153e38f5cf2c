import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { html } from '../../curation/pages/html.ts';

/** Opens an address in the person's browser. Answers whether a browser was started. */
export async function openInBrowser(address: string): Promise<boolean> {
  // Loaded only where a browser is wanted.
  const { default: open } = await import('open');
  try {
    const started = await open(address);
    started.on('error', () => undefined); // It had started; the person sees its outcome.
    return true;
  } catch {
    // There is no browser or no desktop: the address is shown too, for the person to open.
    return false;
  }
}

/** A page on the disk that leads a browser to an address. */
export interface LeadingPage {
  /** `file:` URI. */
  readonly address: string;
  remove(): Promise<void>;
}

/**
 * Writes a private page that leads the browser to an address with a secret in it. Every user of a machine can read
 * the command lines of its programs, so an address that lets a person in is not put on one: the browser gets a file
 * that only this user can read, and goes on from there. One connection replaces the page of the one before it,
 * which may have ended without removing it.
 */
export async function writeLeadingPage(home: string, address: string): Promise<LeadingPage> {
  const file = path.join(home, 'sign-in.html');
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, leadingPage(address).text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
  return { address: pathToFileURL(file).href, remove: () => rm(file, { force: true }) };
}

function leadingPage(address: string) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Sign in · artwork-mcp</title>
</head>
<body><p><a href="${address}">Go on to the sign-in</a></p></body>
</html>
`;
}
