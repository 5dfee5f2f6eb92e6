import { attributesOf } from './attributes.js';
import { isTrue, listOf, objectOf, timeOf } from './values.js';

describe('values of export files', () => {
  it.each([
    ['2023-01-01 08:27:06', '2023-01-01T08:27:06.000Z'],
    ['2023-01-01T08:27:06.5Z', '2023-01-01T08:27:06.500Z'],
    ['2023-01-01 08:27:06.123456', '2023-01-01T08:27:06.123Z'],
    ['2023-01-01 08:27:06 UTC', '2023-01-01T08:27:06.000Z'],
    ['2023-01-01T10:27:06+02:00', '2023-01-01T08:27:06.000Z'],
    ['2023-01-01 10:27:06+0200', '2023-01-01T08:27:06.000Z'],
    ['2023-01-01', '2023-01-01T00:00:00.000Z'],
    ['1672561626000', '2023-01-01T08:27:06.000Z'],
    ['1672561626', '2023-01-01T08:27:06.000Z'],
  ])('reads %s as a time in UTC', (text, iso) => {
    expect(timeOf(text)).toBe(Date.parse(iso));
  });

  it.each([null, '', 'yesterday', '2023-13-45 00:00:00', '01/02/2023'])('reads no time in %p', (text) => {
    expect(timeOf(text)).toBeNull();
  });

  it('reads booleans of all template versions', () => {
    expect(['true', 't', 'TRUE', '1'].map(isTrue)).toEqual([true, true, true, true]);
    expect(['false', 'f', '', null].map(isTrue)).toEqual([false, false, false, false]);
  });

  it.each(['["pro", "plus"]', '{pro,plus}', '{"pro","plus"}', '[""pro"", ""plus""]', '"[""pro"",""plus""]"'])(
    'reads lists written as %s',
    (text) => {
      expect(listOf(text)).toEqual(['pro', 'plus']);
    },
  );

  it.each([
    '{"a": {"value": "1"}}',
    '{""a"": {""value"": ""1""}}',
    '"{""a"": {""value"": ""1""}}"',
    '{\\"a\\": {\\"value\\": \\"1\\"}}',
    '"{\\"a\\": {\\"value\\": \\"1\\"}}"',
  ])('reads objects written as %s', (text) => {
    expect(objectOf(text)).toEqual({ a: { value: '1' } });
  });

  it.each([null, '', '{', '[1]', '"text"', '7'])('reads no object in %p', (text) => {
    expect(objectOf(text)).toBeNull();
  });

  it('reads attributes with and without a time of their own; seconds become milliseconds', () => {
    const json = JSON.stringify({
      $email: { value: 'ada@example.com', updated_at_ms: 1_673_097_132_390 },
      old: { value: '1', updated_at_ms: 1_672_549_200 },
      plain: 'text',
      number: 7,
      gone: { value: null, updated_at_ms: 1_673_097_132_391 },
      odd: { value: { nested: true } },
    });
    expect(attributesOf(json, 5)).toEqual([
      { name: '$email', value: 'ada@example.com', updated_at: 1_673_097_132_390 },
      { name: 'old', value: '1', updated_at: 1_672_549_200_000 },
      { name: 'plain', value: 'text', updated_at: 5 },
      { name: 'number', value: '7', updated_at: 5 },
      { name: 'gone', value: null, updated_at: 1_673_097_132_391 },
    ]);
  });
});
