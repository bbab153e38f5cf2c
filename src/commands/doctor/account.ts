import type { App } from '../../app.ts';
import { ArtworkError } from '../../errors.ts';
import type { Settings } from '../../settings.ts';
import { type Check, ill, well } from './check.ts';

/** Whether a sign-in is possible, and how the stored connection stands; nothing is sent for it. */
export function accountCheck(settings: Settings, app: App): Check {
  return {
    name: 'account',
    async look() {
      if (settings.toolsets.every((toolset) => toolset === 'catalogue')) {
        return well('no tool of these toolsets acts for an account');
      }
      try {
        const { connections } = await app.parts.account();
        const { state, explanation } = await connections.status();
        switch (state) {
          case 'connected':
          case 'not_connected':
          case 'uncertain':
            return well(explanation);
          case 'reconnect_required':
            return ill(explanation, 'Sign in again: artwork-mcp connect.');
          case 'disconnecting':
            return ill(explanation, 'Run artwork-mcp disconnect again.');
          case 'app_refused':
            return ill(explanation, 'Mend the settings or the registered app, as the sentence says.');
        }
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        const without =
          error.code === 'client_id_missing' ? ' Without an account, set ARTWORK_TOOLSETS=catalogue.' : '';
        return ill(error.message, `${error.next?.why ?? 'The message says what to do.'}${without}`);
      }
    },
  };
}
