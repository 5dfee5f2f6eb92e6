import fc from 'fast-check';
import { definitionOf } from '../destinations.js';
import { allTypes, callsOf, destinationOf, enteredSettings } from '../testing/fixture.js';
import { MASK, maskSecrets, secretsOf } from './masking.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a masked text', () => {
  it.each(allTypes)('shows no secret of %s in the request that contains it', (type) => {
    const { settings } = destinationOf(type);
    const secrets = secretsOf(definitionOf(type).settings, settings);
    expect(secrets.length).toBeGreaterThan(0);
    for (const call of callsOf(type)) {
      const masked = maskSecrets(JSON.stringify(call), secrets);
      for (const secret of secrets) {
        const token = secret.split('/').at(-1) ?? '';
        for (const form of [secret, token, base64(secret), base64(`${secret}:`), encodeURIComponent(secret)])
          expect(masked).not.toContain(form);
      }
    }
  });

  it.each([
    ['slack', 'https://hooks.slack.com/…'],
    ['discord', 'https://discord.com/…'],
  ] as const)('shows the host of a %s address only', (type, shown) => {
    const [call] = callsOf(type);
    expect(
      maskSecrets(call?.url ?? '', secretsOf(definitionOf(type).settings, enteredSettings[type])),
    ).toMatch(new RegExp(`^${shown}`));
  });

  it('shows no path of a Slack address that an answer repeats', () => {
    const url = 'https://hooks.slack.com/services/T01234567/B01234567/abcdefghijklmnop';
    expect(maskSecrets('no /services/T01234567/B01234567/abcdefghijklmnop', [url])).toBe('no /…');
    expect(maskSecrets('token abcdefghijklmnop', [url])).toBe(`token ${MASK}`);
  });

  it('masks a secret in every form, wherever it is in an encoded text', () => {
    const secret = fc.string({
      minLength: 8,
      maxLength: 40,
      unit: fc.constantFrom(...'abcXYZ019-_+/=.& %"'),
    });
    fc.assert(
      fc.property(secret, fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), (own, before, after) => {
        const texts = [
          `${before}${own}${after}`,
          JSON.stringify({ key: own }),
          encodeURIComponent(own),
          new URLSearchParams({ key: own }).toString(),
        ];
        for (const text of texts) expect(maskSecrets(text, [own])).toContain(MASK);
        const masked = maskSecrets(base64(`${before}${own}${after}`), [own]);
        expect(Buffer.from(masked.replaceAll(MASK, ''), 'base64').toString()).not.toContain(own);
        expect(masked).toContain(MASK);
      }),
    );
  });

  it('shows no fixed part of a header that is a template', () => {
    const { settings } = definitionOf('http');
    const secrets = secretsOf(settings, { headers: { authorization: 'Bearer s3cret-{{kind}}-t0ken' } });
    expect(maskSecrets('Bearer s3cret-renewal-t0ken', secrets)).toBe(`${MASK}renewal${MASK}`);
  });

  it('leaves nothing of a key in Basic authentication', () => {
    const keys = ['write-key-1', 'write-key-12', 'write-key-123'];
    for (const key of keys)
      expect(maskSecrets(`Basic ${base64(`${key}:`)}`, [key])).toMatch(/^Basic \[masked\]\w?=*$/);
  });

  it('leaves a text without secrets as it is', () => {
    expect(maskSecrets('The answer was 400.', ['0123456789abcdef', ''])).toBe('The answer was 400.');
  });
});
