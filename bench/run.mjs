// Prints the figures; with --write it puts them into docs/figures.md, and the first six into the README.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { measureCall } from './call.mjs';
import { startCatalogue } from './catalogue.mjs';
import { measureLedger } from './ledger.mjs';
import { rounded } from './measure.mjs';
import { measureSet } from './set.mjs';
import { measureSheet } from './sheet.mjs';
import { measureStart } from './start.mjs';
import { measureTitles } from './titles.mjs';
import { measureTokens } from './tokens.mjs';
import { measureUpload } from './upload.mjs';

const folder = await mkdtemp(path.join(tmpdir(), 'artwork-mcp-bench-'));
const home = path.join(folder, 'home');
const catalogue = await startCatalogue(path.join(folder, 'catalogue'));
try {
  const starts = await measureStart(home);
  const tokens = await measureTokens(home);
  const call = await measureCall(catalogue.baseUrl, home, catalogue.showId);
  const upload = await measureUpload();
  const set = await measureSet();
  const ledger = await measureLedger();
  const titles = await measureTitles();
  const sheet = await measureSheet(home);
  const first = [
    [
      'Start to the answer of `tools/list`, by the revision of the protocol',
      `${starts.map(({ name, ratio }) => `${name}: ${rounded(ratio, 2)} ×`).join('; ')} \`node -e 0\` (medians of ${starts[0].rounds} pairs in turn)`,
      '≤ 2.1 ×',
    ],
    ['Resident memory then', `${starts.map(({ memoryMb }) => rounded(memoryMb)).join(', ')} MB`, '≤ 48 MB'],
    [
      'All tool definitions',
      `${tokens.all} tokens for ${tokens.tools} tools; ${tokens.model} without output schemas, titles, annotations and search hints (o200k)`,
      '≤ 5,500',
    ],
    [
      'A call of `get_entity`, beyond the same request made directly',
      `${rounded(call.overheadMs, 2)} ms (median of ${call.rounds} pairs)`,
      '≤ 1 ms',
    ],
    [
      `Making a Set of ${set.cards} planned files of 2 MiB, ${set.atOnce} at a time, against the same requests made by \`curl\` and \`openssl dgst -sha256\` together`,
      `${rounded(set.ratio, 2)} × (median of ${set.rounds} rounds; planning, which decodes every file, ${rounded(set.planSeconds)} s); memory ${rounded(set.memoryFirst, 0)} MB with the first 30 files, at most ${rounded(set.memoryMost, 0)} MB`,
      '≤ 1.2 ×, within 80 MB',
    ],
    [
      `\`find_titles\` in an index of ${titles.titles.toLocaleString('en')} titles`,
      `half within ${rounded(titles.searches.p50)} ms of processor time, 99 of 100 within ${rounded(titles.searches.p99)} ms, over ${titles.searches.manners} manners of asking; ${rounded(titles.bytesPerTitle, 0)} bytes a title; ${rounded(titles.learntPerSecond, 0)} titles learnt a second`,
      '3 ms, 15 ms',
    ],
  ];
  const others = [
    [
      'The embedded catalogue, from an empty folder to its first answer',
      `${rounded(catalogue.firstAnswerSeconds)} s (once)`,
      '≤ 2 s',
    ],
    [
      `A contact sheet of ${sheet.cards} title cards of 1920 × 1080, beyond fetching them, against a plain script of \`sharp\` that resizes and composes the same files`,
      `${rounded(sheet.ratio, 2)} ×: ${rounded(sheet.sheetMs, 0)} ms (medians of ${sheet.rounds} pairs)`,
      '≤ 1.5 ×',
    ],
    [
      'Uploading 20 MiB, hashed and checked, against `curl -T` and `openssl dgst -sha256` together',
      `${rounded(upload.one.ratio, 2)} × (median of ${upload.one.rounds} rounds)`,
      '≤ 1.5 ×',
    ],
    [
      'Uploading 1 GiB in files of 20 MiB, against the same together',
      `${rounded(upload.many.ratio, 2)} × (median of ${upload.many.rounds} rounds); memory ${rounded(upload.memoryBefore, 0)} MB after the first file, at most ${rounded(upload.memoryPeak, 0)} MB`,
      '≤ 1.1 ×, within 80 MB',
    ],
    [
      `The ledger with ${ledger.many.toLocaleString('en')} entries, every tenth unsettled, against one of ${ledger.few}`,
      `claim ${rounded(ledger.claim.ratio, 2)} ×, check of a place ${rounded(ledger.place.ratio, 2)} ×, first page of the list ${rounded(ledger.page.ratio, 2)} × (medians of ${ledger.rounds} in turn)`,
      '≤ 1.5 ×',
    ],
  ];
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const where = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores, commit ${commit}.`;
  const text = `${tableOf([...first, ...others])}\n\n${where}`;
  console.log(text);
  console.log(
    `\n\`node -e 0\` ${rounded(starts[0].baselineMs)} ms, start ${rounded(starts[0].listMs)} ms; call ${rounded(call.callMs, 2)} ms, direct GET ${rounded(call.directMs, 2)} ms`,
  );
  if (process.argv.includes('--write')) {
    await writeBetweenMarks('docs/figures.md', text);
    await writeBetweenMarks('README.md', `${tableOf(first)}\n\n${where}`);
  }
} finally {
  await catalogue.stop();
  await rm(folder, { recursive: true, force: true });
}

function tableOf(rows) {
  return ['| What | Measured | Bar |', '|---|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
    '\n',
  );
}

async function writeBetweenMarks(name, text) {
  const file = new URL(`../${name}`, import.meta.url);
  const before = await readFile(file, 'utf8');
  await writeFile(
    file,
    before.replace(/<!-- figures -->.*<!-- \/figures -->/s, `<!-- figures -->\n${text}\n<!-- /figures -->`),
  );
}
