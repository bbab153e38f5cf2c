import { createApp } from '../app.ts';
import { createLog } from '../log.ts';
import { type Settings, SettingsError } from '../settings.ts';
import { type Line, printLines } from '../terminal.ts';
import type { Command } from './command.ts';
import {
  accountCheck,
  type Check,
  type CheckResult,
  clockCheck,
  downloadsCheck,
  illResult,
  redirectPortCheck,
  serviceCheck,
  settingsCheck,
  storeCheck,
  wellResult,
} from './doctor-checks.ts';

export const command: Command = {
  summary:
    'checks settings, folders, service, clock, store, account and callback port, and says how to mend each',
  usage: 'artwork-mcp doctor [--json]',
  options: {
    json: { type: 'boolean', about: 'prints one line of JSON', example: 'artwork-mcp doctor --json' },
  },
  settings: [
    'base-url',
    'auth-url',
    'client-id',
    'redirect-uri',
    'user',
    'home',
    'upload-roots',
    'download-root',
  ],
  examples: ['artwork-mcp doctor --base-url https://catalogue.example/api --client-id abc'],
  words: 0,
  exit: '1 also where a check fails, which is told on stdout',
  async run({ settings, options }) {
    const findings = await examine(settings);
    printLines(
      options.json === true ? [JSON.stringify({ checks: findings.map(asJson) })] : readable(findings),
    );
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
      const finding = await check.look().catch(unusableFile);
      findings.push({ name: check.name, ...(toldBefore(finding, findings) ?? finding) });
    }
    return findings;
  } finally {
    await app.close();
  }
}

/** A file that a setting names is read only when it is needed: the other checks go on without it. */
function unusableFile(error: unknown): CheckResult {
  if (!(error instanceof SettingsError)) throw error;
  return illResult(
    error.message,
    'Make the file readable for this user alone (chmod 600), with nothing but the secret in it, or name another one.',
  );
}

/** What one check found ill keeps a later one from its own look: it is told once, where it is to be mended. */
function toldBefore(finding: CheckResult, findings: readonly NamedFinding[]): CheckResult | null {
  if (finding.outcome === 'well') return null;
  const before = findings.find(({ outcome, found }) => outcome === 'ill' && found === finding.found);
  return before === undefined ? null : wellResult(`not looked at: the ${before.name} has to be mended first`);
}

/** What programs read has the fields that it always had. */
function asJson({ name, ...finding }: NamedFinding) {
  const { outcome, found } = finding;
  return finding.outcome === 'ill' ? { name, outcome, found, mend: finding.mend } : { name, outcome, found };
}

function readable(findings: readonly NamedFinding[]): Line[] {
  const told = findings.flatMap((finding): Line[] => {
    const isWell = finding.outcome === 'well';
    const next = isWell ? finding.next : finding.mend;
    return [
      [
        isWell ? { style: 'green', text: 'ok  ' } : { style: 'red', text: 'FAIL' },
        `  ${finding.name.padEnd(9)} ${finding.found}`,
      ],
      ...(next === undefined
        ? []
        : [[' '.repeat(16), { style: 'bold' as const, text: 'next:' }, ` ${next}`]]),
    ];
  });
  const failed = findings.filter(({ outcome }) => outcome === 'ill').length;
  if (failed === 0) return told;
  const some = failed === 1 ? 'One check failed' : `${failed} checks failed`;
  return [...told, '', `${some}: do what stands behind "next:", then run artwork-mcp doctor again.`];
}
