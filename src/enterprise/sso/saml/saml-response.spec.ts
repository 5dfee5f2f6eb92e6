import { samlAttacks } from '../../../../test/support/saml-attacks.js';
import {
  posted,
  type ResponseParts,
  responseXml,
  samlIdp,
  type SamlIdp,
  SHA384,
  type SignedElement,
  signedResponse,
  signXml,
} from '../../../../test/support/saml-idp.js';
import { SsoRefused } from '../shared/sso-reasons.js';
import { type AcceptedAssertion, checkAssertion } from './assertion.policy.js';
import { verifiedResponse } from './saml-response.js';
import { samlIdentity } from './saml-identity.policy.js';

const sp = {
  spEntityId: 'https://tenure.example/sso/saml/a/metadata',
  acsUrl: 'https://tenure.example/sso/saml/a/acs',
};
const nowMs = Date.UTC(2026, 0, 2);
const automatic = { email: null, firstName: null, lastName: null, groups: null };
let idp: SamlIdp;
let otherIdp: SamlIdp;

beforeAll(() => {
  idp = samlIdp('idp.example');
  otherIdp = samlIdp('other.example');
});

function accept(
  text: string,
  changes: { allowSha1?: boolean; certificates?: string[] } = {},
): AcceptedAssertion {
  const signers = { certificates: [idp.certificate], allowSha1: false, ...changes };
  const { signedXml, form } = verifiedResponse(text, signers);
  return checkAssertion(signedXml, form, { ...sp, idpEntityId: idp.entityId }, nowMs);
}

const parts = (changes: Partial<ResponseParts> = {}): ResponseParts => ({
  nowMs,
  inResponseTo: '_r',
  ...changes,
});

/** A key and its certificate. */
function keyOn(curve: string): Pick<SamlIdp, 'key' | 'certificate'> {
  const { key, certificate } = samlIdp('ec.example', { curve });
  return { key, certificate };
}

function reasonOf(attempt: () => unknown): string {
  try {
    attempt();
    return 'accepted';
  } catch (error) {
    if (error instanceof SsoRefused) return error.reason;
    throw error;
  }
}

describe('a SAML response', () => {
  it.each(['Assertion', 'Response'] as const)('accepts a signature on the %s', (signed) => {
    const xml = signedResponse(idp, sp, parts({ attributes: { groups: ['a', 'b'] } }), signed);
    const accepted = accept(posted(xml));
    expect(accepted).toMatchObject({ inResponseTo: '_r', notOnOrAfterMs: nowMs + 300_000 });
    expect(samlIdentity(accepted, automatic)).toMatchObject({
      email: 'ada@example.com',
      name: null,
      groups: ['a', 'b'],
    });
  });

  it('accepts both signatures, whichever of the certificates made them', () => {
    const inner = signedResponse(idp, sp, parts());
    const certificates = [otherIdp.certificate, idp.certificate];
    expect(reasonOf(() => accept(posted(signXml(inner, idp, 'Response')), { certificates }))).toBe(
      'accepted',
    );
  });

  it('accepts line breaks, a declaration and indentation', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n${signedResponse(idp, sp, parts())}\n`;
    const lines = posted(xml).match(/.{1,76}/g) ?? [];
    expect(reasonOf(() => accept(lines.join('\r\n')))).toBe('accepted');
  });

  const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
  const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';
  const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
  const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
  const P256 = 'prime256v1';

  it.each([
    [`${MORE}rsa-sha256`, SHA384, null],
    [`${MORE}rsa-sha384`, SHA384, null],
    [`${MORE}rsa-sha512`, SHA512, null],
    [`${PSS}sha256-rsa-MGF1`, SHA256, null],
    [`${PSS}sha384-rsa-MGF1`, SHA384, null],
    [`${PSS}sha512-rsa-MGF1`, SHA512, null],
    [`${MORE}ecdsa-sha256`, SHA256, P256],
    [`${MORE}ecdsa-sha384`, SHA384, P256],
    [`${MORE}ecdsa-sha384`, SHA384, 'secp384r1'],
    [`${MORE}ecdsa-sha512`, SHA512, 'secp521r1'],
  ])('accepts %s and %s', (signature, digest, curve) => {
    const signer = curve === null ? idp : { ...idp, ...keyOn(curve) };
    const certificates = [otherIdp.certificate, signer.certificate];
    const sign = (element: SignedElement): string =>
      signXml(responseXml(idp, sp, parts()), signer, element, { signature, digest });
    for (const element of ['Assertion', 'Response'] as const) {
      expect(reasonOf(() => accept(posted(sign(element)), { certificates }))).toBe('accepted');
    }
    const changed = sign('Assertion').replace('ada@example.com', 'eve@example.com');
    expect(reasonOf(() => accept(posted(changed), { certificates }))).toBe('signature');
    expect(reasonOf(() => accept(posted(sign('Assertion'))))).toBe(curve === null ? 'accepted' : 'signature');
  });

  it('refuses an algorithm that does not fit the key, and ECDSA with SHA-1', () => {
    const signer = { ...idp, ...keyOn(P256) };
    const certificates = [signer.certificate];
    const sha1 = `${MORE}ecdsa-sha1`;
    const xml = signXml(responseXml(idp, sp, parts()), signer, 'Assertion', { signature: sha1 });
    expect(reasonOf(() => accept(posted(xml), { certificates, allowSha1: true }))).toBe('signature');
    const rsa = signXml(responseXml(idp, sp, parts()), idp, 'Assertion');
    expect(reasonOf(() => accept(posted(rsa), { certificates }))).toBe('signature');
    const named = rsa.replace(`${MORE}rsa-sha256`, `${MORE}ecdsa-sha256`);
    expect(reasonOf(() => accept(posted(named)))).toBe('signature');
  });

  it('accepts SHA-1 only where that is allowed', () => {
    const xml = signXml(responseXml(idp, sp, parts()), idp, 'Assertion', {
      signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
    });
    expect(reasonOf(() => accept(posted(xml)))).toBe('signature');
    expect(reasonOf(() => accept(posted(xml), { allowSha1: true }))).toBe('accepted');
  });

  it.each([
    ['NotOnOrAfter', { notOnOrAfter: -59_999 }, 'accepted'],
    ['NotOnOrAfter', { notOnOrAfter: -60_000 }, 'expired'],
    ['NotBefore', { notBefore: 60_000 }, 'accepted'],
    ['NotBefore', { notBefore: 60_001 }, 'not_yet_valid'],
  ] as const)('has a minute of leeway on %s: %j', (_name, changes, reason) => {
    expect(reasonOf(() => accept(posted(signedResponse(idp, sp, parts(changes)))))).toBe(reason);
  });

  it('names no destination if only the assertion is signed', () => {
    const xml = signedResponse(idp, sp, parts({ destination: null, responseIssuer: null }));
    expect(reasonOf(() => accept(posted(xml)))).toBe('accepted');
  });

  it('keeps the whole address when a comment is put into it after signing', () => {
    const xml = signedResponse(idp, sp, parts({ nameId: 'ada@example.com.evil.example' }));
    const accepted = accept(posted(xml.replace('.evil.example', '<!-- -->.evil.example')));
    expect(samlIdentity(accepted, automatic).email).toBe('ada@example.com.evil.example');
  });

  it.each(samlAttacks.map((attack) => [attack.name, attack.reason, attack] as const))(
    'refuses %s: %s',
    (_name, reason, attack) => {
      const text = attack.make({ idp, otherIdp, sp, nowMs, inResponseTo: '_r' });
      expect(reasonOf(() => accept(text))).toBe(reason);
    },
  );

  it('covers at least forty attacks, with each name once', () => {
    expect(new Set(samlAttacks.map(({ name }) => name)).size).toBe(samlAttacks.length);
    expect(samlAttacks.length).toBeGreaterThanOrEqual(40);
  });
});
