import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { curlOf } from './curl.js';

/** Splits a command into words like a shell. */
function words(command: string): string[] {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}`;
  const { stdout } = spawnSync('bash', ['-c', script], {
    env: { SECRET_KEY: 'sk_1' },
    encoding: 'utf8',
  });
  return stdout.split('\0').slice(0, -1);
}

describe('the curl command of a call', () => {
  it('has the key of a script instead of the cookie', () => {
    expect(words(curlOf({ method: 'GET', path: '/v2/projects?limit=2' }, 'https://a.example'))).toEqual([
      'https://a.example/v2/projects?limit=2',
      '-H',
      'Authorization: Bearer sk_1',
    ]);
  });

  it('carries any text unharmed through a shell', () => {
    const anyText = fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(anyText, (name) => {
        const call = { method: 'POST', path: '/v2/projects', body: { name: `$(id) ' " \`${name}` } };
        const sent = words(curlOf(call, 'https://a.example'));
        expect(JSON.parse(sent.at(-1)!)).toEqual(call.body);
      }),
      { numRuns: 20 },
    );
  });
});
