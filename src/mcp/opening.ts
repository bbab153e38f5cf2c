import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { jsonOf } from '../text.ts';
import { createLists, type Identity, introduction } from './surface.ts';

/** The versions of the protocol that the SDK speaks, the newest first; a test compares them. */
const spoken: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What a conversation begins with, answered from what the build has made, byte for byte as the SDK's server would. */
export interface Opening {
  /** What to write, which may be nothing; null where only the SDK's server can tell it. */
  answer(line: Buffer): string | null;
  /** The host's `initialize`, which the SDK's server has to hear too; null where it was not answered here. */
  heard(): Buffer | null;
}

/**
 * Most hosts ask a server for no more than its lists, and many start it without ever calling it. For these the SDK is
 * not loaded at all: that takes longer than all else of a start.
 */
export function createOpening(options: Identity): Opening {
  const lists = createLists(options);
  let heard: Buffer | null = null;
  let extensions: Json | undefined;

  const listOf = (method: string): object | null => {
    switch (method) {
      case 'ping':
        return {};
      case 'tools/list':
        return lists.tools(extensions);
      case 'prompts/list':
        return lists.prompts();
      case 'resources/list':
        return lists.resources(extensions);
      case 'resources/templates/list':
        return lists.resourceTemplates();
      default:
        return null;
    }
  };

  return {
    heard: () => heard,
    answer(line) {
      const message = jsonOf(line.toString());
      if (heard === null) {
        if (!isInitialize(message)) return null;
        heard = line;
        const { protocolVersion: asked, capabilities } = message.params;
        extensions = capabilities.extensions;
        const protocolVersion = spoken.includes(asked) ? asked : spoken[0];
        return answerTo(message, { protocolVersion, ...introduction(options) });
      }
      // The SDK's server does nothing about it.
      if (isInitialized(message)) return '';
      if (!isPlain(message)) return null;
      const list = listOf(message.method);
      return list === null ? null : answerTo(message, list);
    },
  };
}

function answerTo({ id }: PlainRequest, result: object): string {
  return `${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`;
}

/*
 * Which messages the SDK surely takes, told without its schemas: to load them is what a start has no time for. It errs
 * to the safe side only: what is not known here goes to the SDK.
 */

interface PlainRequest {
  readonly id: RequestId;
  readonly method: string;
}

interface Initialize extends PlainRequest {
  readonly params: {
    readonly protocolVersion: string;
    readonly capabilities: { readonly extensions?: Json };
  };
}

function isInitialize(message: unknown): message is Initialize {
  return hasOnly(message, { ...envelope, id: isId, method: is('initialize'), params: isIntroduction });
}

function isInitialized(message: unknown): boolean {
  return hasOnly(message, { ...envelope, method: is('notifications/initialized') }, { params: isBare });
}

/** A request without parameters: for a list, from its beginning. */
function isPlain(message: unknown): message is PlainRequest {
  return hasOnly(message, { ...envelope, id: isId, method: isText }, { params: isBare });
}

type Json = { readonly [name: string]: unknown };
type Check = (value: unknown) => boolean;
type Checks = { readonly [name: string]: Check };

/** An object of these members, those that may be left out, and no other. */
function hasOnly(value: unknown, needed: Checks, others: Checks = {}): boolean {
  if (!isObject(value) || !Object.keys(needed).every((name) => Object.hasOwn(value, name))) return false;
  const known = new Map(Object.entries({ ...needed, ...others }));
  return Object.entries(value).every(([name, member]) => known.get(name)?.(member));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of a request. A larger number has lost its digits. */
export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

const is =
  (word: string): Check =>
  (value) =>
    value === word;
const isText: Check = (value) => typeof value === 'string';
const isEmpty: Check = (value) => hasOnly(value, {});
const ofObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

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
      roots: (declared) => hasOnly(declared, {}, { listChanged: (told) => typeof told === 'boolean' }),
      sampling: (declared) => hasOnly(declared, {}, { context: isObject, tools: isObject }),
      elicitation: (declared) => hasOnly(declared, {}, { form: isEmpty, url: isEmpty }),
      experimental: ofObjects,
      extensions: ofObjects,
    },
  );
