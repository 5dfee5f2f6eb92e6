import { samlIdp } from '../../../../test/support/saml-idp.js';
import { certificateWarnings, checkCertificate } from './certificate.policy.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 0, 15);
const { certificate: pem } = samlIdp('idp.example');
const bare = pem.replace(/-----[^-]+-----|\s/g, '');

const pemOfCheck = (text: string): string => {
  const checked = checkCertificate(text);
  if (typeof checked === 'string') throw new Error(checked);
  return checked.pem;
};

describe('the certificate of an identity provider', () => {
  it.each([
    ['PEM', pem],
    ['PEM within white space', `\n ${pem}\n\n`],
    ['PEM with lines of Windows', pem.replaceAll('\n', '\r\n')],
    ['PEM on one line', pem.replaceAll('\n', ' ')],
    ['base64', bare],
    ['base64 in lines', bare.replace(/(.{20})/g, '$1\n  ')],
  ])('accepts it as %s, and stores it in one form', (_name, text) => {
    expect(pemOfCheck(text)).toBe(pem);
  });

  it.each(['prime256v1', 'secp384r1', 'secp521r1'])('accepts an EC key on %s', (curve) => {
    const { certificate: ec } = samlIdp('ec.example', { curve });
    expect(pemOfCheck(ec)).toBe(ec);
  });

  const weak = samlIdp('weak.example', { curve: 'prime192v1' }).certificate;
  it.each([
    ['nothing', '', 'is not a certificate in PEM or base64'],
    ['text', 'my certificate!', 'is not a certificate in PEM or base64'],
    ['two certificates', `${pem}\n${pem}`, 'is not a certificate in PEM or base64'],
    ['a key', pem.replaceAll('CERTIFICATE', 'PRIVATE KEY'), 'is not a certificate in PEM or base64'],
    ['other bytes', 'AAAA', 'is not an X.509 certificate'],
    [
      'white space without an end',
      `-----BEGIN CERTIFICATE-----${' '.repeat(20_000)}`,
      'is not a certificate in PEM or base64',
    ],
    ['half of one', bare.slice(0, 400), 'is not an X.509 certificate'],
    ['a short EC key', weak, 'must have an EC key of at least 256 bits'],
  ])('rejects %s', (_name, text, problem) => {
    expect(checkCertificate(text)).toBe(problem);
  });

  it('accepts one that is out of date, and says so', () => {
    const until = (toMs: number): string => samlIdp('idp.example', { toMs }).certificate;
    const [old, valid] = [until(NOW_MS - DAY_MS), until(NOW_MS + DAY_MS)];
    expect(certificateWarnings([valid, old], NOW_MS)).toEqual(['Certificate 2 expired on 2026-01-14.']);
    expect(certificateWarnings([valid], NOW_MS)).toEqual([]);
    expect(certificateWarnings([valid], Date.UTC(1990, 0, 1))[0]).toMatch(
      /^Certificate 1 is valid only from /,
    );
    expect(certificateWarnings([weak], NOW_MS)).toEqual([
      expect.stringMatching(/^Certificate 1 must have an EC key of at least/),
    ]);
  });
});
