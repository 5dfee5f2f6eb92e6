import { boolean, der, integer, oid, sequence } from './der.js';
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A distinguished name of nothing but a common name. */
export function name(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(commonName)))));
}

/** GeneralizedTime. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return der(0x18, Buffer.from(`${text}Z`));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), der(0x04, value));
}

const ECDSA_SHA256 = '1.2.840.10045.4.3.2';
const BASIC_CONSTRAINTS = '2.5.29.19';
const KEY_USAGE = '2.5.29.15';
const NULL = Buffer.from([0x05, 0x00]);

/** What marks Apple's signing certificates, and those that issue them. */
export const APPLE_LEAF = '1.2.840.113635.100.6.11.1';
export const APPLE_INTERMEDIATE = '1.2.840.113635.100.6.2.1';

export interface Certificate {
  der: Buffer;
  key: KeyObject;
  commonName: string;
  /** Signatures identify it by these two fields. */
  issuerName: string;
  serial: Buffer;
}

export interface CertificateOptions {
  commonName: string;
  issuer?: Certificate;
  isCa?: boolean;
  /** The key is an RSA one; such a certificate needs an issuer. */
  rsa?: boolean;
  /** The curve of an EC key; P-256 unless given. */
  curve?: string;
  /** Empty extensions that mark it. */
  marks?: string[];
  /** Epoch ms. */
  fromMs?: number;
  toMs?: number;
}

/** Makes a certificate, on P-256 unless said otherwise; without an issuer it signs itself. */
export function certificate(options: CertificateOptions): Certificate {
  const { commonName, issuer, isCa = false, marks = [], curve = 'prime256v1' } = options;
  const { fromMs = Date.UTC(2020, 0, 1), toMs = Date.UTC(2119, 0, 1) } = options;
  const pair = options.rsa
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: curve });
  const algorithm = sequence(oid(ECDSA_SHA256));
  const constraints = isCa ? sequence(boolean(true)) : sequence();
  const usage = der(0x03, Buffer.from(isCa ? [0x01, 0x06] : [0x07, 0x80]));
  const extensions = sequence(
    extension(BASIC_CONSTRAINTS, true, constraints),
    extension(KEY_USAGE, true, usage),
    ...marks.map((mark) => extension(mark, false, NULL)),
  );
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const issuerName = issuer?.commonName ?? commonName;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithm,
    name(issuerName),
    sequence(time(fromMs), time(toMs)),
    name(commonName),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', body, issuer?.key ?? pair.privateKey);
  return {
    der: sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature]))),
    key: createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    commonName,
    issuerName,
    serial,
  };
}

export function pemOf({ der: bytes }: Certificate): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Root, intermediate and leaf, as the App Store has them. */
export interface Chain {
  root: Certificate;
  intermediate: Certificate;
  leaf: Certificate;
}

/** A chain with Apple's marks; `changes` makes one that is not quite right. */
export function appleChain(
  changes: {
    intermediate?: Partial<CertificateOptions>;
    leaf?: Partial<CertificateOptions>;
    root?: Certificate;
  } = {},
): Chain {
  const root = changes.root ?? certificate({ commonName: 'Fake Root CA - G3', isCa: true });
  const intermediate = certificate({
    commonName: 'Fake Worldwide Developer Relations',
    issuer: root,
    isCa: true,
    marks: [APPLE_INTERMEDIATE],
    ...changes.intermediate,
  });
  const leaf = certificate({
    commonName: 'Fake App Store Signing',
    issuer: intermediate,
    marks: [APPLE_LEAF],
    ...changes.leaf,
  });
  return { root, intermediate, leaf };
}
