import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Whether this machine has a browser to test with. */
export const browserIsHere = existsSync(executablePath);

/** Debian's Chromium without a window, which connects to the page's own server alone. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 360, height: 740 };

const pictures = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../test-output/account');

const looks = [
  { name: 'desktop', size: desktop, colorScheme: 'light' },
  { name: 'phone', size: phone, colorScheme: 'light' },
  { name: 'phone-dark', size: phone, colorScheme: 'dark' },
] as const;

/**
 * Keeps pictures of the whole page, and answers what is wrong with it: axe's findings, one line per rule and
 * place, and how many pixels it is too wide for the screen.
 */
export async function inspect(page: Page, name: string): Promise<string[]> {
  await mkdir(pictures, { recursive: true });
  const found: string[] = [];
  for (const look of looks) {
    await page.setViewportSize(look.size);
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.screenshot({ path: path.join(pictures, `${name}-${look.name}.png`), fullPage: true });
    const excess = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (excess > 0) found.push(`${look.name}: ${excess} px too wide`);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    for (const { id, nodes } of violations) {
      for (const node of nodes) found.push(`${look.name}: ${id}: ${node.html}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desktop);
  return found;
}
