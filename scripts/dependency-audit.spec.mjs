import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('dependency-audit.mjs', import.meta.url));

describe('the audit of dependencies', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs the audit where `npm audit` prints `printed`. */
  function audit(printed, ...options) {
    writeFileSync(join(folder, 'printed'), printed);
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\ncat "${join(folder, 'printed')}"\nexit 1\n`);
    chmodSync(join(folder, 'npm'), 0o755);
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    return spawnSync(process.execPath, [SCRIPT, ...options], { encoding: 'utf8', env });
  }

  const result = (total, vulnerabilities = {}) =>
    JSON.stringify({ vulnerabilities, metadata: { dependencies: { total } } });
  const finding = (severity) => ({
    'left-pad': { name: 'left-pad', severity, range: '<1', via: [{ title: 'Pads on the right' }] },
  });

  test.each([
    ['the registry refuses to answer', '{"message":"405 Method Not Allowed","error":{"summary":""}}', '405'],
    ['npm prints nothing', '', 'no result'],
    ['the lock file has no dependencies', result(0), 'no dependencies'],
  ])('fails if %s, or warns loudly where that is allowed', (_, printed, reason) => {
    const refused = audit(printed);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('ERROR: no dependency was audited');
    expect(refused.stderr).toContain(reason);

    const allowed = audit(printed, '--allow-unaudited');
    expect(allowed.status).toBe(0);
    expect(allowed.stderr).toContain('WARNING: no dependency was audited');
  });

  test('fails for high vulnerabilities and names them', () => {
    const { status, stderr } = audit(result(9, finding('high')), '--allow-unaudited');
    expect(status).toBe(1);
    expect(stderr).toContain('high: left-pad <1 Pads on the right');
  });

  test('passes otherwise and says how many dependencies were audited', () => {
    const { status, stdout } = audit(result(9, finding('moderate')));
    expect(status).toBe(0);
    expect(stdout).toContain('9 dependencies audited: 0 high or critical of 1 known');
  });
});
