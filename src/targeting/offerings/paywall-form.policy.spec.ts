import fc from 'fast-check';
import { paywallFormFor } from './paywall-form.policy.js';

const formOf = (platform?: string, sdkVersion?: string, acceptLanguage?: string) =>
  paywallFormFor({ platform, sdkVersion, acceptLanguage });

describe('how offerings carry paywalls', () => {
  it.each([
    ['iOS', '5.86.0', 'named'],
    ['iOS', '5.85.99', 'whole'],
    ['uikitformac', '5.86.0', 'named'],
    ['macOS', '6.0.0-beta.1', 'named'],
    ['iOS', '5.86.0-beta.1', 'whole'],
    ['android', '10.17.0', 'named'],
    ['android', '10.16.9', 'whole'],
    ['amazon', '10.17.0', 'named'],
    ['roku', undefined, 'named'],
    ['iOS', undefined, 'whole'],
    ['iOS', 'abc', 'whole'],
    ['android', '5.86.0', 'whole'],
    ['stripe', '99.0.0', 'whole'],
    [undefined, '99.0.0', 'whole'],
    ['web', '1.0.0', 'web'],
  ])('reads %s %s as %s', (platform, version, kind) => {
    expect(formOf(platform, version).kind).toBe(kind);
  });

  it('keeps only known languages of browsers', () => {
    expect(formOf('web', '1.63.1', 'de-AT,de;q=0.9')).toEqual({ kind: 'web', tag: 'de-AT' });
    expect(formOf('web', '1.63.1', 'xx-YY')).toEqual({ kind: 'web', tag: null });
    expect(formOf('iOS', '5.0.0', 'de-AT')).toEqual({ kind: 'whole' });
  });

  it('finds a form for any headers', () => {
    const text = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(text, text, text, (platform, version, language) => {
        expect(['named', 'whole', 'web']).toContain(formOf(platform, version, language).kind);
      }),
    );
  });
});
