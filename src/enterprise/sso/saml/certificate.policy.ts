import { type KeyObject, X509Certificate } from 'node:crypto';

const MIN_RSA_BITS = 2048;
const MIN_EC_BITS = 256;
const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/;
const BARE = /^[A-Za-z0-9+/=\s]+$/;

export interface CheckedCertificate {
  pem: string;
  validFromMs: number;
  validToMs: number;
}

/** Accepts PEM or the base64 inside it. Returns the certificate, or the reason why it cannot be used. */
export function checkCertificate(text: string): CheckedCertificate | string {
  const trimmed = text.trim();
  const base64 = PEM.exec(trimmed)?.[1] ?? (BARE.test(trimmed) ? trimmed : null);
  if (base64 === null) return 'is not a certificate in PEM or base64';
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return 'is not an X.509 certificate';
  }
  const problem = keyProblem(certificate.publicKey);
  if (problem !== null) return problem;
  return {
    pem: certificate.toString().trim(),
    validFromMs: Date.parse(certificate.validFrom),
    validToMs: Date.parse(certificate.validTo),
  };
}

function keyProblem({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string | null {
  if (type === 'rsa') {
    const isLongEnough = (details?.modulusLength ?? 0) >= MIN_RSA_BITS;
    return isLongEnough ? null : `must have an RSA key of at least ${MIN_RSA_BITS} bits`;
  }
  if (type !== 'ec') return 'must have an RSA or EC key';
  // Curve names such as prime256v1 and secp384r1 contain the key size.
  const bits = Number(/\d{3}/.exec(details?.namedCurve ?? '')?.[0] ?? 0);
  return bits >= MIN_EC_BITS ? null : `must have an EC key of at least ${MIN_EC_BITS} bits`;
}

/** Warnings about stored certificates. Expired ones still work, because many identity providers use them. */
export function certificateWarnings(certificates: readonly string[], nowMs: number): string[] {
  return certificates.flatMap((pem, index) => {
    const checked = checkCertificate(pem);
    const place = `Certificate ${index + 1}`;
    if (typeof checked === 'string') return [`${place} ${checked}.`];
    if (checked.validToMs <= nowMs) return [`${place} expired on ${dayOf(checked.validToMs)}.`];
    if (checked.validFromMs > nowMs) return [`${place} is valid only from ${dayOf(checked.validFromMs)}.`];
    return [];
  });
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
