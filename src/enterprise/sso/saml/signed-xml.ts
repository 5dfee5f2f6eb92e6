import type { Element } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { SsoRefused } from '../shared/sso-reasons.js';
import type { ResponseForm } from './saml-response.policy.js';
import { digestAlgorithms, signatureAlgorithms } from './signature-algorithms.js';

/** Certificates and algorithms that may sign. */
export interface Signers {
  /** PEM. */
  certificates: readonly string[];
  allowSha1: boolean;
}

/**
 * Returns exactly the bytes that one of the certificates signed, in canonical form. Ignores keys in the response. If a
 * response has two signatures, both must be valid. xml-crypto verifies digest and signature; all other checks are in
 * saml-response.policy.ts, signature.policy.ts and assertion.policy.ts.
 * @throws SsoRefused
 */
export function verifiedXml({ xml, signatures }: ResponseForm, signers: Signers): string {
  // XML processors normalize line ends (XML 1.0, 2.11), and so did the signer.
  const text = xml.replace(/\r\n?/g, '\n');
  const [signed] = signatures.map((signature) => signedText(text, signature, signers));
  if (signed === undefined) throw new SsoRefused('signature');
  return signed;
}

function signedText(xml: string, signature: Element, signers: Signers): string {
  for (const certificate of signers.certificates) {
    const signed = textSignedBy(certificate, xml, signature, signers.allowSha1);
    if (signed !== null) return signed;
  }
  throw new SsoRefused('signature');
}

/** Returns null if the certificate did not sign it. */
function textSignedBy(
  certificate: string,
  xml: string,
  signature: Element,
  allowSha1: boolean,
): string | null {
  const verifier = new SignedXml({ publicCert: certificate });
  verifier.SignatureAlgorithms = signatureAlgorithms(allowSha1);
  verifier.HashAlgorithms = digestAlgorithms(allowSha1);
  try {
    verifier.loadSignature(signature);
    if (!verifier.checkSignature(xml)) return null;
  } catch {
    return null;
  }
  const [signed, ...more] = verifier.getSignedReferences();
  return signed !== undefined && more.length === 0 ? signed : null;
}
