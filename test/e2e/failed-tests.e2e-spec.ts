import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Output of Jest for the tests of test/support/last-request/failing.fixture.ts. */
function runFailingTests(): string {
  const config = {
    rootDir: root,
    testEnvironment: '<rootDir>/test/support/last-request/environment.mjs',
    testMatch: ['<rootDir>/test/support/last-request/failing.fixture.ts'],
    transform: { '^.+\\.ts$': ['@swc/jest'] },
    extensionsToTreatAsEsm: ['.ts'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
    modulePathIgnorePatterns: ['<rootDir>/dist'],
  };
  const jest = ['node_modules/jest/bin/jest.js', '--config', JSON.stringify(config), '--no-colors'];
  return spawnSync(process.execPath, ['--experimental-vm-modules', ...jest], { cwd: root, encoding: 'utf8' })
    .stderr;
}

it('prints the last request of a failed test and its answer, without credentials', () => {
  const output = runFailingTests();
  expect(output).toContain('2 failed, 1 passed');
  const [, onAssertion = '', withoutRequest = ''] = output.split(/^ {2}● /m);
  expect(onAssertion).toContain('Expected: 201');
  expect(onAssertion).toContain('POST /v2/things?dry=true');
  expect(onAssertion).toContain('"color": "red"');
  expect(onAssertion).toContain('Answer: 422');
  expect(onAssertion).toContain('answer to POST');
  expect(onAssertion).toContain('authorization: [redacted]');
  expect(withoutRequest).toContain('before any request');
  expect(withoutRequest).not.toContain('Last request');
  for (const other of ['GET /v2/passing', 'GET /v2/earlier', 'sk_secret'])
    expect(output).not.toContain(other);
});
