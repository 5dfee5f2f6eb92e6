import { samlAttacks } from '../../../../test/support/saml-attacks.js';
import {
  posted,
  type ResponseParts,
  responseXml,
  samlIdp,
  type SamlIdp,
  signedResponse,
  signXml,
} from '../../../../test/support/saml-idp.js';
import { SsoRefused } from '../shared/sso-reasons.js';
import { acceptedAssertion } from './saml-response.js';
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

const accept = (text: string, changes: { allowSha1?: boolean; certificates?: string[] } = {}) =>
  acceptedAssertion(
    text,
    { ...sp, idpEntityId: idp.entityId, certificates: [idp.certificate], allowSha1: false, ...changes },
    nowMs,
  );

const parts = (changes: Partial<ResponseParts> = {}): ResponseParts => ({
  nowMs,
  inResponseTo: '_r',
  ...changes,
});

async function reasonOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'accepted';
  } catch (error) {
    if (error instanceof SsoRefused) return error.reason;
    throw error;
  }
}

describe('a SAML response', () => {
  it.each(['Assertion', 'Response'] as const)('is accepted with a signature on the %s', async (signed) => {
    const xml = signedResponse(idp, sp, parts({ attributes: { groups: ['a', 'b'] } }), signed);
    const accepted = await accept(posted(xml));
    expect(accepted).toMatchObject({ inResponseTo: '_r', notOnOrAfterMs: nowMs + 300_000 });
    expect(samlIdentity(accepted, automatic)).toEqual({
      email: 'ada@example.com',
      name: null,
      groups: ['a', 'b'],
    });
  });

  it('is accepted with both signatures, whichever of the certificates made them', async () => {
    const inner = signedResponse(idp, sp, parts());
    const certificates = [otherIdp.certificate, idp.certificate];
    expect(await reasonOf(accept(posted(signXml(inner, idp, 'Response')), { certificates }))).toBe(
      'accepted',
    );
  });

  it('may be broken into lines, begin with a declaration and be pretty', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n${signedResponse(idp, sp, parts())}\n`;
    const lines = posted(xml).match(/.{1,76}/g) ?? [];
    expect(await reasonOf(accept(lines.join('\r\n')))).toBe('accepted');
  });

  it.each([
    [
      'rsa-sha512',
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
      'http://www.w3.org/2001/04/xmlenc#sha512',
    ],
    [
      'PSS',
      'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
      'http://www.w3.org/2001/04/xmlenc#sha256',
    ],
  ])('is accepted with %s', async (_name, signature, digest) => {
    const xml = signXml(responseXml(idp, sp, parts()), idp, 'Assertion', { signature, digest });
    expect(await reasonOf(accept(posted(xml)))).toBe('accepted');
  });

  it('may be signed with SHA-1 only where that is allowed', async () => {
    const xml = signXml(responseXml(idp, sp, parts()), idp, 'Assertion', {
      signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
    });
    expect(await reasonOf(accept(posted(xml)))).toBe('signature');
    expect(await reasonOf(accept(posted(xml), { allowSha1: true }))).toBe('accepted');
  });

  it.each([
    ['NotOnOrAfter', { notOnOrAfter: -59_999 }, 'accepted'],
    ['NotOnOrAfter', { notOnOrAfter: -60_000 }, 'expired'],
    ['NotBefore', { notBefore: 60_000 }, 'accepted'],
    ['NotBefore', { notBefore: 60_001 }, 'not_yet_valid'],
  ] as const)('has a minute of leeway on %s: %j', async (_name, changes, reason) => {
    expect(await reasonOf(accept(posted(signedResponse(idp, sp, parts(changes)))))).toBe(reason);
  });

  it('names no destination if only the assertion is signed', async () => {
    const xml = signedResponse(idp, sp, parts({ destination: null, responseIssuer: null }));
    expect(await reasonOf(accept(posted(xml)))).toBe('accepted');
  });

  it('keeps the whole address when a comment is put into it after signing', async () => {
    const xml = signedResponse(idp, sp, parts({ nameId: 'ada@example.com.evil.example' }));
    const accepted = await accept(posted(xml.replace('.evil.example', '<!-- -->.evil.example')));
    expect(samlIdentity(accepted, automatic).email).toBe('ada@example.com.evil.example');
  });

  it.each(samlAttacks.map((attack) => [attack.name, attack.reason, attack] as const))(
    'is refused with %s: %s',
    async (_name, reason, attack) => {
      const text = attack.make({ idp, otherIdp, sp, nowMs, inResponseTo: '_r' });
      expect(await reasonOf(accept(text))).toBe(reason);
    },
  );

  it('is tried by at least forty attacks, with each name once', () => {
    expect(new Set(samlAttacks.map(({ name }) => name)).size).toBe(samlAttacks.length);
    expect(samlAttacks.length).toBeGreaterThanOrEqual(40);
  });
});
