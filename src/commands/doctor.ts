import { createApp } from '../app.ts';
import { createLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import { printLines } from '../terminal.ts';
import type { Command } from './command.ts';
import { accountCheck } from './doctor/account.ts';
import type { Check, Finding } from './doctor/check.ts';
import { redirectPortCheck, settingsCheck, storeCheck } from './doctor/machine.ts';
import { clockCheck, serviceCheck } from './doctor/service.ts';

export const command: Command = {
  summary: 'checks settings, service, clock, store, account and callback port, and says how to mend each',
  usage: 'artwork-mcp doctor [--json]',
  options: { json: { type: 'boolean', about: 'prints one line of JSON' } },
  examples: ['artwork-mcp doctor --base-url https://catalogue.example/api --client-id abc'],
  words: 0,
  async run({ settings, options }) {
    const findings = await examine(settings);
    printLines(options.json === true ? [JSON.stringify({ checks: findings })] : readable(findings));
    if (findings.some(({ outcome }) => outcome === 'ill')) process.exitCode = 1;
  },
};

type NamedFinding = Finding & { readonly name: string };

async function examine(settings: Settings): Promise<NamedFinding[]> {
  const app = createApp(settings, createLog(settings.logLevel));
  const checks: readonly Check[] = [
    settingsCheck(settings),
    serviceCheck(settings, app),
    clockCheck(settings),
    storeCheck(settings),
    accountCheck(settings, app),
    redirectPortCheck(settings),
  ];
  try {
    const findings: NamedFinding[] = [];
    for (const check of checks) findings.push({ name: check.name, ...(await check.look()) });
    return findings;
  } finally {
    await app.close();
  }
}

function readable(findings: readonly NamedFinding[]): string[] {
  return findings.flatMap((finding) => {
    const line = `${finding.outcome === 'well' ? 'ok  ' : 'FAIL'}  ${finding.name.padEnd(9)} ${finding.found}`;
    return finding.outcome === 'well' ? [line] : [line, `                ${finding.mend}`];
  });
}
