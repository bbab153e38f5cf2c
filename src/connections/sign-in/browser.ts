import open from 'open';

/** Opens an address in the person's browser. Answers whether one was started. */
export async function openBrowser(url: string): Promise<boolean> {
  try {
    const started = await open(url);
    started.on('error', () => undefined); // It had started; the person sees what came of it.
    return true;
  } catch {
    // No browser, no desktop: the address is shown as well, to be opened by hand.
    return false;
  }
}
