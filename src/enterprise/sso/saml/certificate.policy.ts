import { X509Certificate } from 'node:crypto';

const MIN_RSA_BITS = 2048;
const PEM = /^-----BEGIN CERTIFICATE-----\s*([A-Za-z0-9+/=\s]+?)\s*-----END CERTIFICATE-----$/;
const BARE = /^[A-Za-z0-9+/=\s]+$/;

export interface CheckedCertificate {
  pem: string;
  validFromMs: number;
  validToMs: number;
}

/** Takes PEM or the base64 within it. Returns why the certificate cannot be used, or the certificate. */
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
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  // The library that verifies signatures knows no others: with such a certificate every sign-in would fail.
  if (type !== 'rsa') return 'must have an RSA key: other signatures, such as ECDSA, are not supported';
  if ((details?.modulusLength ?? 0) < MIN_RSA_BITS) {
    return `must have an RSA key of at least ${MIN_RSA_BITS} bits`;
  }
  return {
    pem: certificate.toString().trim(),
    validFromMs: Date.parse(certificate.validFrom),
    validToMs: Date.parse(certificate.validTo),
  };
}

/** Of stored certificates. Those out of date are used all the same: many identity providers run on them. */
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
