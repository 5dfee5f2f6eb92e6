import { type Profile, SAML } from '@node-saml/node-saml';
import { SsoRefused } from '../shared/sso-reasons.js';
import type { ResponseForm } from './saml-response.policy.js';

/**
 * node-saml verifies signatures; every other check is ours, in saml-response.policy.ts and assertion.policy.ts, because
 * the library leaves out some of them, reads the system's clock, and does not say which check failed.
 */
class SignatureVerifier extends SAML {
  signedXml: string | null = null;

  protected override getSignedAssertion(signedXml: string): Promise<string | null> {
    this.signedXml = signedXml;
    return Promise.resolve(signedXml);
  }

  protected override processValidlySignedAssertionAsync(): Promise<{ profile: Profile; loggedOut: boolean }> {
    return Promise.resolve({ profile: { issuer: '', nameID: '', nameIDFormat: '' }, loggedOut: false });
  }
}

/**
 * Returns exactly what one of the certificates signed, in its canonical form. Keys within the response are not used.
 * A response that is signed twice must be signed well twice. @throws SsoRefused
 */
export async function verifiedXml(form: ResponseForm, certificates: readonly string[]): Promise<string> {
  const verifier = new SignatureVerifier({
    idpCert: [...certificates],
    wantAuthnResponseSigned: form.responseSigned,
    wantAssertionsSigned: form.assertionSigned,
    // Not used by what remains of the library's own checks.
    callbackUrl: 'unused',
    issuer: 'unused',
    audience: false,
  });
  try {
    await verifier.validatePostResponseAsync({ SAMLResponse: form.base64 });
  } catch {
    throw new SsoRefused('signature');
  }
  if (verifier.signedXml === null) throw new SsoRefused('signature');
  return verifier.signedXml;
}
