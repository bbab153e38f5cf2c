import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bundle } from '../../support/bundle.ts';
import { temporaryFolder } from '../../support/temporary.ts';

it('labels a contact sheet on a machine that has no fonts and no font configuration', async () => {
  const folder = await temporaryFolder();
  const built = await bundle({ sheet: 'test/curation/show/fontless-process.ts' });
  try {
    const configuration = path.join(folder.path, 'fonts.conf');
    await writeFile(configuration, '<?xml version="1.0"?><fontconfig></fontconfig>');
    const child = spawn(process.execPath, [built.program('sheet')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, FONTCONFIG_FILE: configuration, HOME: folder.path, XDG_DATA_HOME: folder.path },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    const [number, numberAndLabel] = JSON.parse(output);
    expect(number).toBeGreaterThan(20);
    expect(numberAndLabel).toBeGreaterThan(number * 3);
  } finally {
    await built.remove();
    await folder.remove();
  }
});
