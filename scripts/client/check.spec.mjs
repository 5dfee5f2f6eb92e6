import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { differences, newestEntry, releasedCallsProblems } from './check.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const calls = readFileSync(`${root}packages/node/test/released-calls.ts`, 'utf8');
const changelog = (entry) =>
  `# Changelog\n\n## 1.1.0\n\n${entry}\n\n## 1.0.0\n\nRemoved \`createOffering\`.\n`;

describe('the calls of the last release', () => {
  beforeAll(() =>
    promisify(execFile)(process.execPath, ['scripts/client.mjs'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  );

  it('compile, and are at least twenty', () => {
    expect(calls.match(/^export async function run/gm).length).toBeGreaterThanOrEqual(20);
    expect(releasedCallsProblems(changelog(''))).toEqual([]);
  });

  it('fail the check if one no longer compiles, unless the newest entry of the changelog names it', () => {
    const broken = calls.replace("lookup_key: 'spring'", "name: 'spring'");
    expect(releasedCallsProblems(changelog(''), broken)).toEqual([
      expect.stringMatching(/^released call createOffering: /),
    ]);
    expect(releasedCallsProblems(changelog('- `createOffering` needs a name.'), broken)).toEqual([]);
  });
});

describe('the check of the client', () => {
  it('names the files in which two generations differ', () => {
    const first = new Map(Object.entries({ 'a.ts': '1', 'b.ts': '2', 'c.ts': '3' }));
    const second = new Map(Object.entries({ 'a.ts': '1', 'b.ts': '3', 'd.ts': '3' }));
    expect(differences(first, first)).toEqual([]);
    expect(differences(first, second)).toEqual(['b.ts', 'c.ts', 'd.ts']);
  });

  it('reads the newest entry of a changelog', () => {
    expect(newestEntry(changelog('text'))).toBe('1.1.0\n\ntext\n\n');
    expect(newestEntry('')).toBe('');
  });
});
