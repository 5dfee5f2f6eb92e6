import { readFileSync } from 'node:fs';
import { VERSION } from './version.js';

it('returns the version of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});
