import type { Settings } from '../settings.ts';
import type { Dispatch } from './dispatch.ts';
import type { Prompts } from './prompts.ts';
import type { PublicDefinitions, ReadResource, CompleteId } from './surface.ts';

export interface ServerOptions {
  readonly version: string;
  readonly settings: Settings;
  readonly definitions: PublicDefinitions;
  answering(): Promise<Answering>;
}

/** What answers calls. It is loaded at the first call, so that the start waits for none of it. */
export interface Answering {
  readonly dispatch: Dispatch;
  readonly readResource: ReadResource;
  readonly prompts: Prompts;
  readonly completeId: CompleteId;
}
