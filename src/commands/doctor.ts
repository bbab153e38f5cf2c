import { createApp } from '../app.ts';
import { createLog } from '../log.ts';
import type { Settings } from '../settings.ts';
import { printLines } from '../terminal.ts';
import type { Command } from './command.ts';
import { accountCheck } from './doctor/account.ts';
import { type Check, type CheckResult, well } from './doctor/check.ts';
import { downloadsCheck, redirectPortCheck, settingsCheck, storeCheck } from './doctor/machine.ts';
import { clockCheck, serviceCheck } from './doctor/service.ts';

export const command: Command = {
  summary:
    'checks settings, folders, service, clock, store, account and callback port, and says how to mend each',
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

type NamedFinding = CheckResult & { readonly name: string };

async function examine(settings: Settings): Promise<NamedFinding[]> {
  const app = createApp(settings, createLog(settings.logLevel));
  const checks: readonly Check[] = [
    settingsCheck(settings),
    serviceCheck(settings, app),
    clockCheck(settings),
    storeCheck(settings),
    downloadsCheck(settings),
    accountCheck(settings, app),
    redirectPortCheck(settings),
  ];
  try {
    const findings: NamedFinding[] = [];
    for (const check of checks) {
      const finding = await check.look();
      findings.push({ name: check.name, ...(toldBefore(finding, findings) ?? finding) });
    }
    return findings;
  } finally {
    await app.close();
  }
}

/** What one check found ill keeps a later one from its own look: it is told once, where it is to be mended. */
function toldBefore(finding: CheckResult, findings: readonly NamedFinding[]): CheckResult | null {
  if (finding.outcome === 'well') return null;
  const before = findings.find(({ outcome, found }) => outcome === 'ill' && found === finding.found);
  return before === undefined ? null : well(`not looked at: the ${before.name} has to be mended first`);
}

function readable(findings: readonly NamedFinding[]): string[] {
  return findings.flatMap((finding) => {
    const line = `${finding.outcome === 'well' ? 'ok  ' : 'FAIL'}  ${finding.name.padEnd(9)} ${finding.found}`;
    return finding.outcome === 'well' ? [line] : [line, `                ${finding.mend}`];
  });
}
