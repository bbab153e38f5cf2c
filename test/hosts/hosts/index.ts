import type { Host } from '../host.ts';
import { claudeCode } from './claude-code.ts';
import { cline } from './cline.ts';
import { codexDirect, codexInCodeMode } from './codex.ts';
import { continueCli } from './continue-cli.ts';
import { copilotCli } from './copilot-cli.ts';
import { geminiCli } from './gemini-cli.ts';
import { aiSdk, inspector, langChain, mastra, openaiAgents } from './libraries.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwen-code.ts';

/** In the order of the table. */
export const hosts: readonly Host[] = [
  claudeCode,
  codexInCodeMode,
  codexDirect,
  geminiCli,
  qwenCode,
  opencode,
  copilotCli,
  cline,
  continueCli,
  aiSdk,
  openaiAgents,
  langChain,
  mastra,
  inspector,
];
