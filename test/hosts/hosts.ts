import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Args, Call, ModelRequest } from './model.ts';

/** Where a host runs. */
export interface Place {
  /** The folder that its packages are installed in. */
  readonly installed: string;
  /** Its HOME, empty at the start. */
  readonly home: string;
  /** The folder that a person has opened in it. */
  readonly workspace: string;
  /** Origin of the model. */
  readonly modelUrl: string;
  /** What the person says. */
  readonly prompt: string;
  /** How the server is started. */
  readonly server: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

/** How one host is installed, told of the server and the model, and run without a screen. */
export interface Host {
  readonly name: string;
  /** Pinned; the first one is the host itself, and its version is shown. */
  readonly packages: readonly (readonly [name: string, version: string])[];
  /** The major version of Node that it runs on. */
  readonly node: 20 | 24;
  /** Its settings: texts, or JSON, by their paths. */
  files?(place: Place): Readonly<Record<string, unknown>>;
  /** What has to be done once they are written. */
  before?(place: Place): Promise<unknown>;
  run(place: Place): {
    readonly command: string;
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
  /** How its model calls one of our tools; null where it can't yet. Default: the listed tool whose name ends so. */
  call?(tool: string, args: Args, request: ModelRequest, callId: string): Call | null;
  /** Its model writes scripts, in which tools are functions. */
  readonly inScripts?: true;
  /** Where tools are held back: how its model searches for one. */
  search?(tool: string, description: string, callId: string): Call;
}

/** Whether a host calls our tool so: with the server's name before it, in whichever spelling. */
export function isNamed(name: string, tool: string): boolean {
  return name.endsWith(tool) && !/[a-z]/i.test(name.at(-tool.length - 1) ?? '');
}

const bin = ({ installed }: Place, name: string) => path.join(installed, 'node_modules/.bin', name);
const at = ({ home }: Place, ...names: string[]) => path.join(home, ...names);
/** TOML's strings are written as JSON's. */
const toml = (value: unknown) => JSON.stringify(value);

function codex(name: string, model: string, more: Pick<Host, 'call' | 'inScripts' | 'search'>): Host {
  return {
    name,
    packages: [['@openai/codex', '0.169.0']],
    node: 20,
    files: ({ home, modelUrl, server }) => ({
      [path.join(home, '.codex/config.toml')]: [
        `model = ${toml(model)}`,
        'model_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"',
        'check_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.fake]\nname = "Fake"',
        `base_url = ${toml(`${modelUrl}/v1`)}\nenv_key = "FAKE_KEY"\nwire_api = "responses"\n[mcp_servers.artwork]`,
        `command = ${toml(server.command)}\nargs = ${toml(server.args)}\n[mcp_servers.artwork.env]`,
        ...Object.entries(server.env).map(([key, value]) => `${key} = ${toml(value)}`),
        '',
      ].join('\n'),
    }),
    run: (place) => ({
      command: bin(place, 'codex'),
      args: ['exec', '--skip-git-repo-check', '--json', place.prompt],
      env: { FAKE_KEY: 'none', CODEX_HOME: at(place, '.codex') },
    }),
    ...more,
  };
}

/** A library is a host by a script of a few lines, which runs where it is installed. */
function library(name: string, script: string, packages: Host['packages']): Host {
  const client = ({ installed }: Place) => path.join(installed, script);
  return {
    name,
    packages,
    node: 24,
    before: (place) => copyFile(path.resolve('test/hosts/clients', script), client(place)),
    run: (place) => ({ command: 'node', args: [client(place), JSON.stringify(place)] }),
  };
}

/** Qwen's search answers with the tools' declarations as text. */
const namesIn = (text: string) => [...text.matchAll(/"name":\s*"([^"]+)"/g)].map(([, name = '']) => name);
const quiet = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
};

/** In the order of the table. */
export const hosts: readonly Host[] = [
  {
    name: 'Claude Code',
    packages: [['@anthropic-ai/claude-code', '2.1.330']],
    node: 20,
    files: (place) => ({
      [at(place, 'mcp.json')]: { mcpServers: { artwork: { type: 'stdio', ...place.server } } },
    }),
    run: (place) => ({
      command: bin(place, 'claude'),
      args: [
        ...['-p', place.prompt, '--mcp-config', at(place, 'mcp.json'), '--allowedTools', 'mcp__artwork'],
        ...['--strict-mcp-config', '--output-format', 'stream-json', '--verbose'],
      ],
      env: {
        ANTHROPIC_BASE_URL: place.modelUrl,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        ENABLE_TOOL_SEARCH: 'true',
      },
    }),
    search: (tool, _, callId) => ({
      callId,
      name: 'ToolSearch',
      arguments: { query: `select:mcp__artwork__${tool}`, max_results: 5 },
    }),
  },
  codex('Codex, code mode', 'gpt-6.1-sol', {
    inScripts: true,
    call: (tool, args, _, callId) => ({
      callId,
      name: 'exec',
      arguments: {
        input: `for (const one of (await tools.mcp__artwork__${tool}(${JSON.stringify(args)})).content) one.type === 'image' ? image(one) : text(one.text);`,
      },
      as: 'custom',
    }),
  }),
  codex('Codex, direct', 'gpt-5.5', {
    search: (_, query, callId) => ({ callId, name: 'tool_search', arguments: { query }, as: 'tool_search' }),
  }),
  {
    name: 'Gemini CLI',
    packages: [['@google/gemini-cli', '0.61.0']],
    node: 20,
    files: (place) => ({
      [at(place, '.gemini/settings.json')]: {
        mcpServers: { artwork: { ...place.server, trust: true } },
        security: { auth: { selectedType: 'gemini-api-key' } },
        ...quiet,
      },
    }),
    run: (place) => ({
      command: bin(place, 'gemini'),
      args: ['-p', place.prompt, '--approval-mode', 'yolo', '--skip-trust', '-m', 'gemini-2.5-pro'],
      env: { GOOGLE_GEMINI_BASE_URL: place.modelUrl, GEMINI_API_KEY: 'none' },
    }),
  },
  {
    name: 'Qwen Code',
    packages: [['@qwen-code/qwen-code', '0.24.4']],
    node: 24,
    files: (place) => ({
      [at(place, '.qwen/settings.json')]: {
        mcpServers: { artwork: { ...place.server, trust: true } },
        security: { auth: { selectedType: 'openai' } },
        ...quiet,
      },
    }),
    run: (place) => ({
      command: bin(place, 'qwen'),
      args: ['-p', place.prompt, '--approval-mode', 'yolo'],
      env: { OPENAI_BASE_URL: `${place.modelUrl}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'qwen3-vl-plus' },
    }),
    search: (tool, _, callId) => ({
      callId,
      name: 'tool_search',
      arguments: { query: `select:mcp__artwork__${tool}` },
    }),
    call(tool, args, { results }, callId) {
      const name = results.flatMap(({ text }) => namesIn(text)).find((one) => isNamed(one, tool));
      return name === undefined ? null : { callId, name: 'tool_call', arguments: { name, arguments: args } };
    },
  },
  {
    name: 'opencode',
    packages: [['opencode-ai', '1.18.33']],
    node: 20,
    files: ({ workspace, modelUrl, server }) => ({
      [path.join(workspace, 'opencode.json')]: {
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Fake',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: {
              fake: {
                ...{ name: 'Fake', attachment: true, tool_call: true },
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: 200_000, output: 8_000 },
              },
            },
          },
        },
        ...{ model: 'fake/fake', small_model: 'fake/fake', share: 'disabled', autoupdate: false },
        mcp: {
          artwork: {
            type: 'local',
            command: [server.command, ...server.args],
            environment: server.env,
            enabled: true,
          },
        },
      },
    }),
    run: (place) => ({
      command: bin(place, 'opencode'),
      args: ['run', place.prompt],
      env: {
        XDG_DATA_HOME: at(place, '.local/share'),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      },
    }),
  },
  {
    name: 'Copilot CLI',
    packages: [['@github/copilot', '1.0.102']],
    node: 24,
    files: (place) => ({
      [at(place, '.copilot/mcp-config.json')]: {
        mcpServers: { artwork: { type: 'local', ...place.server, tools: ['*'] } },
      },
    }),
    run: (place) => ({
      command: bin(place, 'copilot'),
      args: ['-p', place.prompt, '--allow-all-tools', '--allow-all-paths', '--no-auto-update'],
      env: {
        COPILOT_HOME: at(place, '.copilot'),
        COPILOT_PROVIDER_BASE_URL: `${place.modelUrl}/v1`,
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_API_KEY: 'none',
        COPILOT_PROVIDER_WIRE_API: 'responses',
        COPILOT_MODEL: 'fake',
        COPILOT_OFFLINE: 'true',
      },
    }),
  },
  {
    name: 'Cline',
    packages: [['cline', '3.0.65']],
    node: 20,
    files: (place) => ({
      [at(place, '.cline/data/settings/cline_mcp_settings.json')]: {
        mcpServers: { artwork: { ...place.server, disabled: false, autoApprove: ['*'] } },
      },
    }),
    before: (place) =>
      promisify(execFile)(
        bin(place, 'cline'),
        ['auth', '-p', 'openai-compatible', '-k', 'none', '-m', 'fake', '-b', `${place.modelUrl}/v1`],
        { env: { PATH: process.env.PATH, HOME: place.home, CI: '1' } },
      ),
    run: (place) => ({
      command: bin(place, 'cline'),
      args: ['--json', place.prompt],
      env: { CLINE_TELEMETRY_DISABLED: '1' },
    }),
  },
  {
    name: 'Continue CLI',
    packages: [['@continuedev/cli', '1.5.47']],
    node: 24,
    files: (place) => ({
      // JSON is YAML too.
      [at(place, '.continue/config.yaml')]: {
        ...{ name: 'Play', version: '1.0.0', schema: 'v1' },
        models: [
          {
            ...{
              name: 'Fake',
              provider: 'openai',
              model: 'fake',
              apiBase: `${place.modelUrl}/v1`,
              apiKey: 'none',
            },
            ...{ capabilities: ['tool_use', 'image_input'], roles: ['chat'] },
            // Beyond a context that it takes for full it would sum up, and forget.
            defaultCompletionOptions: { contextLength: 400_000, maxTokens: 8_000 },
          },
        ],
        mcpServers: [{ name: 'artwork', type: 'stdio', ...place.server }],
      },
    }),
    run: (place) => ({
      command: bin(place, 'cn'),
      args: ['-p', '--auto', '--config', at(place, '.continue/config.yaml'), place.prompt],
      env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_GLOBAL_DIR: at(place, '.continue') },
    }),
  },
  library('ai-sdk', 'ai-sdk.mjs', [
    ['ai', '7.0.173'],
    ['@ai-sdk/mcp', '2.0.99'],
    ['@ai-sdk/anthropic', '4.0.105'],
  ]),
  library('@openai/agents', 'openai-agents.mjs', [
    ['@openai/agents', '0.20.0'],
    ['zod', '4.6.7'],
  ]),
  library('LangChain adapters', 'langchain.mjs', [
    ['@langchain/mcp-adapters', '1.1.4'],
    ['@langchain/core', '1.4.0'],
    ['@langchain/langgraph', '1.7.3'],
    ['@langchain/openai', '1.5.8'],
  ]),
  library('Mastra', 'mastra.mjs', [
    ['@mastra/mcp', '2.0.0'],
    ['@mastra/core', '1.71.0'],
  ]),
];
