import {
  type Check,
  hasOnly,
  is,
  isBoolean,
  isId,
  isObject,
  isText,
  type Json,
  ofObjects,
  type Request,
  resultLine,
} from '../messages.ts';
import { createLists, type Identity, introduction, listOf, showsApps } from '../surface.ts';

/** The versions of the protocol that the SDK speaks, the newest first; a test compares them. */
const spoken: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What a conversation begins with, answered from what the build has made, byte for byte as the SDK's server would. */
export interface Opening {
  /** What to write; null where only the SDK's server can tell it. */
  answer(request: Request): string | null;
  /** The host's `initialize`, which the SDK's server has to hear too; null where it was not answered here. */
  heard(): object | null;
}

/**
 * Most hosts ask a server for no more than its lists, and many start it without ever calling it. For these the SDK is
 * not loaded at all: that takes longer than all else of a start.
 */
export function createOpening(options: Identity): Opening {
  const lists = createLists(options);
  let heard: object | null = null;
  let withApps = false;

  return {
    heard: () => heard,
    answer(message: unknown) {
      if (heard === null) {
        // The one request that may come before it.
        if (isPlain(message) && message.method === 'ping') return resultLine(message.id, {});
        if (!isInitialize(message)) return null;
        heard = message;
        const { protocolVersion: asked, capabilities } = message.params;
        withApps = showsApps(capabilities.extensions, options.definitions);
        const protocolVersion = spoken.includes(asked) ? asked : spoken[0];
        return resultLine(message.id, { protocolVersion, ...introduction(options) });
      }
      if (!isPlain(message)) return null;
      const list = message.method === 'ping' ? {} : listOf(lists, message.method, withApps);
      return list === null ? null : resultLine(message.id, list);
    },
  };
}

/*
 * Which messages the SDK surely takes. It errs to the safe side only: what is not known here goes to the SDK.
 */

interface Initialize extends Request {
  readonly params: {
    readonly protocolVersion: string;
    readonly capabilities: { readonly extensions?: Json };
  };
}

function isInitialize(message: unknown): message is Initialize {
  return hasOnly(message, { ...envelope, id: isId, method: is('initialize'), params: isIntroduction });
}

/** A request without parameters: for a list, from its beginning. */
function isPlain(message: unknown): message is Request {
  return hasOnly(message, { ...envelope, id: isId, method: isText }, { params: isBare });
}

const isEmpty: Check = (value) => hasOnly(value, {});
const envelope = { jsonrpc: is('2.0') };
const isMeta: Check = (value) => hasOnly(value, {}, { progressToken: isId });
const isBare: Check = (value) => hasOnly(value, {}, { _meta: isMeta });

const isIntroduction: Check = (value) =>
  hasOnly(
    value,
    { protocolVersion: isText, clientInfo: isClient, capabilities: isCapabilities },
    { _meta: isMeta },
  );
const isClient: Check = (value) =>
  hasOnly(
    value,
    { name: isText, version: isText },
    { title: isText, websiteUrl: isText, description: isText },
  );
const isCapabilities: Check = (value) =>
  hasOnly(
    value,
    {},
    {
      roots: (declared) => hasOnly(declared, {}, { listChanged: isBoolean }),
      sampling: (declared) => hasOnly(declared, {}, { context: isObject, tools: isObject }),
      elicitation: (declared) => hasOnly(declared, {}, { form: isEmpty, url: isEmpty }),
      experimental: ofObjects,
      extensions: ofObjects,
    },
  );
