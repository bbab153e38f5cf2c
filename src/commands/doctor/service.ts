import { Agent, EnvHttpProxyAgent, request } from 'undici';
import type { App } from '../../app.ts';
import { ArtworkError } from '../../errors.ts';
import { isLoopback, type Settings } from '../../settings.ts';
import { type Check, illResult, wellResult } from './check.ts';

/** Further off than this, a token's lifetime is misjudged. */
const mostSkewMs = 60_000;

/** Whether the service answers a public read; the embedded catalogue is started for it. */
export function serviceCheck(settings: Settings, app: App): Check {
  return {
    name: 'service',
    async look() {
      try {
        const { items } = await app.parts.catalogue.readEpisodesPage(null, { deadlineMs: 20_000 });
        const which = settings.baseUrl ?? 'the embedded catalogue';
        return wellResult(`${which} answers; the first page of its episodes index has ${items.length}`);
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        const mend =
          settings.baseUrl === null
            ? (error.next?.why ?? 'Do what the sentence says, then try again.')
            : 'Check ARTWORK_BASE_URL, the network and the proxy settings.';
        return illResult(error.message, mend);
      }
    },
  };
}

/** This machine's clock against the `Date` that the service sends. */
export function clockCheck(settings: Settings): Check {
  return {
    name: 'clock',
    async look() {
      if (settings.baseUrl === null)
        return wellResult('the embedded catalogue uses the clock of this machine');
      const skew = await skewAgainst(settings.baseUrl);
      if (skew === null) return wellResult('not compared: the service told no time');
      const seconds = Math.round(skew / 1000);
      if (Math.abs(skew) <= mostSkewMs) return wellResult(`within ${Math.abs(seconds)} s of the service's`);
      return illResult(
        `${Math.abs(seconds)} s ${skew > 0 ? 'ahead of' : 'behind'} the service's`,
        'Let the system set its clock from the network; tokens seem expired, or valid too long, otherwise.',
      );
    },
  };
}

async function skewAgainst(baseUrl: string): Promise<number | null> {
  const dispatcher = isLoopback(new URL(baseUrl)) ? new Agent() : new EnvHttpProxyAgent();
  try {
    const { headers, body } = await request(`${baseUrl}/episodes`, {
      method: 'HEAD',
      dispatcher,
      signal: AbortSignal.timeout(10_000),
    });
    await body.dump();
    const told = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
    return Number.isNaN(told) ? null : Date.now() - told;
  } catch (error) {
    // The check of the service tells why it can't be reached; undici rejects with Errors only.
    if (error instanceof Error) return null;
    throw error;
  } finally {
    await dispatcher.close();
  }
}
