import { X509Certificate } from 'node:crypto';
import { NotGenuine } from '../not-genuine.js';
import type { ContainedCertificate, SignedContainer } from './signed-container.js';

/** Extensions of Apple's receipt signing certificates and of their issuing authority. */
const RECEIPT_SIGNING = '1.2.840.113635.100.6.11.1';
const DEVELOPER_RELATIONS = '1.2.840.113635.100.6.2.1';

/** Certificates from a signature to a root. Receipts stay valid longer than their certificates. */
export interface CertificateChain {
  /** Start of the time in which all of them are valid, epoch ms. */
  fromMs: number;
  toMs: number;
}

function hasExtension({ pki }: ContainedCertificate, id: string): boolean {
  return pki.extensions?.some(({ extnID }) => extnID === id) ?? false;
}

function isIssuedBy(
  { x509 }: ContainedCertificate,
  issuer: Pick<ContainedCertificate, 'x509' | 'publicKey'>,
): boolean {
  return x509.checkIssued(issuer.x509) && x509.verify(issuer.publicKey);
}

function chainOf(certificates: X509Certificate[]): CertificateChain {
  return {
    fromMs: Math.max(...certificates.map(({ validFrom }) => Date.parse(validFrom))),
    toMs: Math.min(...certificates.map(({ validTo }) => Date.parse(validTo))),
  };
}

/** Null if the chain is not Apple's. Dates are checked later: the receipt's own must not be read before this check. */
export function appleChain(container: SignedContainer, roots: X509Certificate[]): CertificateChain | null {
  const { signer, certificates } = container;
  if (!signer) return null;
  for (const issuer of certificates) {
    if (!issuer.x509.ca || !isIssuedBy(signer, issuer)) continue;
    const root = roots.find((x509) => isIssuedBy(issuer, { x509, publicKey: x509.publicKey }));
    if (!root || !hasExtension(issuer, DEVELOPER_RELATIONS) || !hasExtension(signer, RECEIPT_SIGNING))
      continue;
    const holds = container.isSignedWith(signer.publicKey);
    return holds ? chainOf([signer.x509, issuer.x509, root]) : null;
  }
  return null;
}

/** @throws NotGenuine if the certificates were not valid when the receipt was created */
export function assertValidAt({ fromMs, toMs }: CertificateChain, createdAtMs: number | null): void {
  if (createdAtMs === null || createdAtMs < fromMs || createdAtMs > toMs) {
    throw new NotGenuine('The certificates of the receipt were not valid when it was made.');
  }
}

/**
 * Whether the receipt is signed with exactly this certificate, the one of StoreKit testing on a developer's machine.
 */
export function isSignedByXcode(container: SignedContainer, certificatePem: string): boolean {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(certificatePem);
  } catch {
    throw new NotGenuine('The Xcode certificate of the app cannot be read.');
  }
  return container.isSignedWith(certificate.publicKey);
}
