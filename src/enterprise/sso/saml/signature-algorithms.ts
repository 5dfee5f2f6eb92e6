import { constants, createHash, createPublicKey, type KeyLike, verify } from 'node:crypto';
import type { HashAlgorithm, SignatureAlgorithm } from 'xml-crypto';
import { XMLDSIG } from './saml-names.js';

/** Algorithm names are defined in RFC 9231 and XML Encryption 1.1. */
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';

interface Scheme {
  hash: string;
  key: 'rsa' | 'ec';
  isPss?: boolean;
}

/** SHA-256 or better. Excludes HMAC, because its key would be the certificate, which is public. */
const strongSchemes: Readonly<Record<string, Scheme>> = {
  [`${MORE}rsa-sha256`]: { hash: 'sha256', key: 'rsa' },
  [`${MORE}rsa-sha384`]: { hash: 'sha384', key: 'rsa' },
  [`${MORE}rsa-sha512`]: { hash: 'sha512', key: 'rsa' },
  [`${PSS}sha256-rsa-MGF1`]: { hash: 'sha256', key: 'rsa', isPss: true },
  [`${PSS}sha384-rsa-MGF1`]: { hash: 'sha384', key: 'rsa', isPss: true },
  [`${PSS}sha512-rsa-MGF1`]: { hash: 'sha512', key: 'rsa', isPss: true },
  [`${MORE}ecdsa-sha256`]: { hash: 'sha256', key: 'ec' },
  [`${MORE}ecdsa-sha384`]: { hash: 'sha384', key: 'ec' },
  [`${MORE}ecdsa-sha512`]: { hash: 'sha512', key: 'ec' },
};
const sha1Scheme: Readonly<Record<string, Scheme>> = { [`${XMLDSIG}rsa-sha1`]: { hash: 'sha1', key: 'rsa' } };

const strongDigests: Readonly<Record<string, string>> = {
  [`${XMLENC}sha256`]: 'sha256',
  [`${MORE}sha384`]: 'sha384',
  [`${XMLENC}sha512`]: 'sha512',
};
const sha1Digest: Readonly<Record<string, string>> = { [`${XMLDSIG}sha1`]: 'sha1' };

function schemesFor(allowSha1: boolean): Readonly<Record<string, Scheme>> {
  return allowSha1 ? { ...strongSchemes, ...sha1Scheme } : strongSchemes;
}

function digestsFor(allowSha1: boolean): Readonly<Record<string, string>> {
  return allowSha1 ? { ...strongDigests, ...sha1Digest } : strongDigests;
}

export function isSignatureAlgorithm(uri: string, allowSha1: boolean): boolean {
  return Object.hasOwn(schemesFor(allowSha1), uri);
}

export function isDigestAlgorithm(uri: string, allowSha1: boolean): boolean {
  return Object.hasOwn(digestsFor(allowSha1), uri);
}

function isSignedBy(
  { hash, key: type, isPss }: Scheme,
  material: string,
  key: KeyLike,
  value: string,
): boolean {
  const publicKey = createPublicKey(key);
  // `verify` would accept an ECDSA signature where the document names RSA.
  if (publicKey.asymmetricKeyType !== type) return false;
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const options =
    type === 'rsa' ? { key: publicKey, padding } : { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  return verify(hash, Buffer.from(material), options, Buffer.from(value, 'base64'));
}

/** Signature algorithms in the form that xml-crypto expects. */
export function signatureAlgorithms(allowSha1: boolean): Record<string, new () => SignatureAlgorithm> {
  return mapValues(
    schemesFor(allowSha1),
    (scheme, uri) =>
      class implements SignatureAlgorithm {
        getAlgorithmName = () => uri;
        getSignature = (): never => {
          throw new Error('This server signs no XML.');
        };
        verifySignature = (material: string, key: KeyLike, value: string): boolean =>
          isSignedBy(scheme, material, key, value);
      },
  );
}

/** Digest algorithms in the form that xml-crypto expects. */
export function digestAlgorithms(allowSha1: boolean): Record<string, new () => HashAlgorithm> {
  return mapValues(
    digestsFor(allowSha1),
    (hash, uri) =>
      class implements HashAlgorithm {
        getAlgorithmName = () => uri;
        getHash = (xml: string): string => createHash(hash).update(xml, 'utf8').digest('base64');
      },
  );
}

function mapValues<V, R>(
  record: Readonly<Record<string, V>>,
  map: (value: V, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
