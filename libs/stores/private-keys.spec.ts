import { generateKeyPairSync } from 'node:crypto';
import { privateKeyIn } from './private-keys.js';

const pems = Array.from({ length: 2 }, () =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
) as [string, string];

it('parses each key once', () => {
  const [first, second] = pems.map(privateKeyIn);
  expect(first?.export({ type: 'pkcs8', format: 'pem' })).toBe(pems[0]);
  expect(second?.export({ type: 'pkcs8', format: 'pem' })).toBe(pems[1]);
  expect(privateKeyIn(pems[0])).toBe(first);
});

it('returns null each time for a text without a key', () => {
  expect([privateKeyIn('no key'), privateKeyIn('no key'), privateKeyIn('')]).toEqual([null, null, null]);
});

it('caches a thousand keys, and parses evicted ones again', () => {
  const before = privateKeyIn(pems[0]);
  for (let count = 0; count < 1_000; count++) privateKeyIn(`no key ${count}`);
  const again = privateKeyIn(pems[0]);
  expect(again).not.toBe(before);
  expect(again?.equals(before ?? (again as never))).toBe(true);
});
