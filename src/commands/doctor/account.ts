import type { App } from '../../app.ts';
import { ArtworkError } from '../../errors.ts';
import type { Settings } from '../../settings.ts';
import { connectionNext } from '../next-step.ts';
import { type Check, illResult, wellResult } from './check.ts';

/** Whether a sign-in is possible, and how the stored connection stands; nothing is sent for it. */
export function accountCheck(settings: Settings, app: App): Check {
  return {
    name: 'account',
    async look() {
      if (settings.toolsets.every((toolset) => toolset === 'catalogue')) {
        return wellResult('no tool of these toolsets acts for an account');
      }
      try {
        const { connections } = await app.parts.account();
        const status = await connections.status();
        const { state, explanation } = status;
        switch (state) {
          case 'connected':
          case 'uncertain':
            return wellResult(explanation);
          case 'not_connected':
            return wellResult(explanation, connectionNext(status) ?? undefined);
          case 'reconnect_required':
          case 'disconnecting':
          case 'app_refused':
            return illResult(explanation, connectionNext(status) ?? 'The sentence says what to do.');
        }
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        const without =
          error.code === 'client_id_missing' ? ' Without an account, set ARTWORK_TOOLSETS=catalogue.' : '';
        return illResult(error.message, `${error.next?.why ?? 'Do what the sentence says.'}${without}`);
      }
    },
  };
}
