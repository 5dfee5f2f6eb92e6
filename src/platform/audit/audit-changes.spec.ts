import fc from 'fast-check';
import { auditChanges, type PlainField } from './audit-changes.js';
import { MAX_CHANGES, MAX_TEXT, MAX_VALUE, recordedValue } from './recorded-values.js';

describe('auditChanges', () => {
  it('has old and new values of plain fields, and only the names of others', () => {
    const before = { displayName: 'Old', sealedKey: 'abc', settings: { id: 'a', token: 'b' }, same: 1 };
    const after = { displayName: 'New', sealedKey: 'xyz', settings: { id: 'c', token: 'd' }, same: 1 };
    expect(auditChanges(before, after, ['displayName', 'settings.id', 'same'])).toEqual({
      changed_fields: ['display_name', 'sealed_key', 'settings.id', 'settings.token'],
      changes: { display_name: { old: 'Old', new: 'New' }, 'settings.id': { old: 'a', new: 'c' } },
    });
  });

  it('leaves out sealed and hashed values', () => {
    type Entity = { name: string; sealedKey: string; tokenHash: string; sealedAll: { a: string } };
    // @ts-expect-error: sealed
    const sealed: PlainField<Entity> = 'sealedKey';
    // @ts-expect-error: hashed
    const hashed: PlainField<Entity> = 'tokenHash';
    // @ts-expect-error: within what is sealed
    const inner: PlainField<Entity> = 'sealedAll.a';
    const name: PlainField<Entity> = 'name';
    expect([sealed, hashed, inner, name]).toHaveLength(4);
  });

  it('has no values where nothing plain changed', () => {
    expect(auditChanges({ a: 1, b: 1 }, { a: 1, b: 2 }, ['a'])).toEqual({ changed_fields: ['b'] });
  });

  it('shows times in epoch ms, what was absent as null, and plain objects field by field', () => {
    const before: { startsAt: Date | null; metadata: Record<string, unknown> | null; note?: string } = {
      startsAt: new Date(1000),
      metadata: { a: 1, b: { c: true } },
    };
    const after = { startsAt: new Date(2000), metadata: { b: { c: false } }, note: 'x' };
    expect(auditChanges(before, after, ['startsAt', 'metadata', 'note']).changes).toEqual({
      starts_at: { old: 1000, new: 2000 },
      'metadata.a': { old: 1, new: null },
      'metadata.b.c': { old: true, new: false },
      note: { old: null, new: 'x' },
    });
  });

  it('leaves out values that look the same as they are recorded', () => {
    const url = 'https://example.com/hook';
    expect(auditChanges({ url: `${url}?key=1` }, { url: `${url}?key=2` }, ['url'])).toEqual({
      changed_fields: ['url'],
    });
  });

  const secrets = fc.uuid().map((id) => `secret-${id}`);
  const hidden = fc.oneof(
    secrets,
    fc.array(secrets, { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), secrets, { maxKeys: 3 }),
    fc.constant(null),
  );

  it('never shows a value of a field that is not listed', () => {
    const entity = fc.record({
      name: fc.string(),
      settings: fc.record({ id: fc.string(), token: hidden }),
      credentials: hidden,
      other: hidden,
    });
    fc.assert(
      fc.property(entity, entity, (before, after) => {
        const data = auditChanges(before, after, ['name', 'settings.id']);
        expect(JSON.stringify(data.changes ?? {})).not.toContain('secret-');
        for (const path of Object.keys(data.changes ?? {})) expect(data.changed_fields).toContain(path);
      }),
    );
  });

  it('stays within its bounds, whatever is changed', () => {
    const big = fc.dictionary(fc.string(), fc.anything({ maxDepth: 3 }), { maxKeys: 40 });
    const long = fc.string({ minLength: 0, maxLength: 3000, size: 'max', unit: 'grapheme' });
    const entity = fc.record({ metadata: big, notes: long, more: fc.array(long, { maxLength: 30 }) });
    fc.assert(
      fc.property(entity, entity, (before, after) => {
        const { changes = {} } = auditChanges(before, after, ['metadata', 'notes', 'more']);
        expect(JSON.stringify(changes).length).toBeLessThanOrEqual(MAX_CHANGES);
        // JSON escapes an unpaired surrogate.
        expect(JSON.stringify(changes)).not.toMatch(/\\ud[89a-f]/);
      }),
      { numRuns: 50 },
    );
  });
});

describe('recordedValue', () => {
  it.each([
    ['https://user:pass@example.com/hook?token=x#y', 'https://example.com/hook'],
    ['https://example.com/@user/a', 'https://example.com/@user/a'],
    ['https:user:pass@example.com/hook', 'https://example.com/hook'],
    ['https:\\\\user:pass@example.com', 'https://example.com/'],
    ['https://us\ner:pass@example.com/', 'https://example.com/'],
    ['myapp://user@open/it?code=1', 'myapp://open/it'],
    [
      'See https://a:b@c.example/d?e=f and http://g:h@i.example.',
      'See https://c.example/d and http://i.example.',
    ],
    ['https://proxy.example/https://u:p@b.example', 'https://proxy.example/https://b.example'],
    ['Why? Because: it is 5/6 @home', 'Why? Because: it is 5/6 @home'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
  ])('shows URLs without user info and query: %j', (url, shown) => {
    expect(recordedValue(url)).toBe(shown);
    expect(recordedValue({ urls: [url] })).toEqual({ urls: [shown] });
  });

  it('never shows the credentials of a URL', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9]{4,12}$/).map((text) => `SECRET${text}`);
    const around = fc.constantFrom('', ' ', 'see ', '\n', '(', '"');
    fc.assert(
      fc.property(word, word, word, around, around, (user, password, query, before, after) => {
        const url = `https://${user}:${password}@example.com/a?b=${query}#${query}`;
        expect(recordedValue(before + url + after)).not.toContain('SECRET');
      }),
    );
  });

  it('has no character that PostgreSQL cannot read in JSON', () => {
    expect(recordedValue({ 'a\0': ['b\0', 'c\uD800', '😀'] })).toEqual({
      'a\uFFFD': ['b\uFFFD', 'c\uFFFD', '😀'],
    });
    expect(auditChanges({ metadata: {} }, { metadata: { 'a\0': 1 } }, ['metadata'])).toEqual({
      changed_fields: ['metadata.a\uFFFD'],
      changes: { 'metadata.a\uFFFD': { old: null, new: 1 } },
    });
  });

  it('cuts long texts and long values', () => {
    expect(recordedValue('x'.repeat(MAX_TEXT))).toHaveLength(MAX_TEXT);
    expect(recordedValue('x'.repeat(MAX_TEXT + 1))).toBe(`${'x'.repeat(MAX_TEXT)}…`);
    expect(recordedValue(`${'x'.repeat(MAX_TEXT - 1)}😀`)).toBe(`${'x'.repeat(MAX_TEXT - 1)}…`);
    const long = recordedValue(Array.from({ length: 1000 }, (_, index) => index));
    expect(long).toHaveLength(MAX_VALUE + 1);
    expect(long).toMatch(/^\[0,1,2,.*…$/);
  });
});
