import { cutText, emailHash, phoneHash, trackableId, ulidOf } from './identifiers.js';

it.each([
  ['A6F3D1C2-0000-4000-8000-000000000001', '56YF8W40008008000000000001'],
  ['FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF', '7ZZZZZZZZZ9ZZVZZZZZZZZZZZZ'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
])('writes %s as the ULID %s', (uuid, ulid) => {
  expect(ulidOf(uuid)).toBe(ulid);
});

it('normalizes emails and phone numbers before it hashes them', () => {
  expect(emailHash(' Ada@Example.com ')).toBe(
    'b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72',
  );
  expect(phoneHash('+1 (555) 010-2030')).toBe(
    'adcfb0c30a77d7b8bf465c2d886be9d0c8037048e4149c65cb195d6418d76540',
  );
  expect(phoneHash('001 555 0102030')).toBe(phoneHash('+1 (555) 010-2030'));
});

it.each([
  ['00000000-0000-0000-0000-000000000000', undefined],
  ['0', undefined],
  ['', undefined],
  [undefined, undefined],
  ['00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001'],
])('takes the id %s for %s', (id, expected) => {
  expect(trackableId(id)).toBe(expected);
});

it('cuts a text between characters', () => {
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('ab😀', 4)).toBe('ab😀');
});
