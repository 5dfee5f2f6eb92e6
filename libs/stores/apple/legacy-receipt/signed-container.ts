import { createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { ObjectIdentifier, OctetString } from 'asn1js';
import { Certificate, IssuerAndSerialNumber, SignerInfo } from 'pkijs';
import { NotGenuine } from '../not-genuine.js';
import { BerError, type BerNode, BerReader } from './ber.js';

/** Maximum number of values around the receipt: mostly certificates, and pieces of the content. */
const MAX_NODES = 10_000;
/** Genuine receipts have three certificates of less than two kilobytes each, and a signer of less than one. */
const MAX_CERTIFICATES = 6;
const MAX_PART = 4_096;

const SEQUENCE = 0x30;
const SET = 0x31;
/** Explicit content, and the implicit set of certificates. */
const TAGGED_0 = 0xa0;

const SIGNED_DATA = oid('2a864886f70d010702');
const DATA = oid('2a864886f70d010701');
const DATA_ID = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const RSA = '1.2.840.113549.1.1.1';

type Digest = 'sha1' | 'sha256';
const digests: Record<string, Digest> = { '1.3.14.3.2.26': 'sha1', '2.16.840.1.101.3.4.2.1': 'sha256' };
const rsaWith: Record<Digest, string> = {
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
};

export class ContainedCertificate {
  readonly x509: X509Certificate;
  readonly publicKey: KeyObject;
  private parsed: Certificate | null = null;

  constructor(der: Buffer) {
    this.x509 = new X509Certificate(der);
    this.publicKey = this.x509.publicKey;
  }

  /** Parsed on demand, because parsing takes a millisecond. */
  get pki(): Certificate {
    this.parsed ??= Certificate.fromBER(this.x509.raw);
    return this.parsed;
  }
}

/** A PKCS#7 SignedData with one signer, parsed but not yet trusted. */
export interface SignedContainer {
  /** The signed bytes. Read no others. */
  content: Buffer;
  certificates: ContainedCertificate[];
  /** The certificate that the signature names; null if it is not included. */
  signer: ContainedCertificate | null;
  isSignedWith(key: KeyObject): boolean;
}

function oid(hex: string): Buffer {
  return Buffer.from(`06${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`, 'hex');
}

function child({ children }: BerNode, index: number, tag: number): BerNode {
  const found = children[index];
  if (found?.tag !== tag) throw new BerError('it is not signed data');
  return found;
}

function contentOf(reader: BerReader, info: BerNode, type: Buffer): BerNode {
  const [name] = info.children;
  if (info.tag !== SEQUENCE || !name || !reader.encoded(name).equals(type)) {
    throw new BerError('it is not signed data');
  }
  const [content] = child(info, 1, TAGGED_0).children;
  if (!content) throw new BerError('it is empty');
  return content;
}

/** Returns the bytes of a part for a library parser. Their size is limited because parsing is slow. */
function part(reader: BerReader, node: BerNode): Buffer {
  const bytes = reader.encoded(node);
  if (node.tag !== SEQUENCE || bytes.length > MAX_PART) throw new BerError('a part is too large');
  return bytes;
}

function certificatesIn(reader: BerReader, set: BerNode | undefined): ContainedCertificate[] {
  const nodes = set?.children ?? [];
  if (nodes.length > MAX_CERTIFICATES) throw new BerError('too many certificates');
  return nodes.map((node) => new ContainedCertificate(part(reader, node)));
}

function signerIn(certificates: ContainedCertificate[], { sid }: SignerInfo): ContainedCertificate | null {
  if (!(sid instanceof IssuerAndSerialNumber)) return null;
  const serial = BigInt(`0x${Buffer.from(sid.serialNumber.valueBlock.valueHexView).toString('hex')}`);
  const named = certificates.filter(
    (one) => BigInt(`0x${one.x509.serialNumber}`) === serial && one.pki.issuer.isEqual(sid.issuer),
  );
  return named.length === 1 ? (named[0] ?? null) : null;
}

function digestOf({ digestAlgorithm, signatureAlgorithm }: SignerInfo): Digest | null {
  const digest = digests[digestAlgorithm.algorithmId] ?? null;
  const { algorithmId } = signatureAlgorithm;
  return digest !== null && (algorithmId === RSA || algorithmId === rsaWith[digest]) ? digest : null;
}

/** Returns the value if there is exactly one attribute of the type with exactly one value; null otherwise. */
function attribute({ signedAttrs }: SignerInfo, type: string): unknown {
  const [found, ...others] = (signedAttrs?.attributes ?? []).filter((one) => one.type === type);
  return found && others.length === 0 && found.values.length === 1 ? found.values[0] : null;
}

/**
 * The signed bytes: the content, or the attributes that contain its digest (RFC 5652, 5.4). Null if the digest belongs
 * to other content.
 */
function signedBytes(info: SignerInfo, digest: Digest, content: Buffer): Buffer | null {
  if (!info.signedAttrs) return content;
  const type = attribute(info, CONTENT_TYPE);
  const hash = attribute(info, MESSAGE_DIGEST);
  if (!(type instanceof ObjectIdentifier) || type.getValue() !== DATA_ID) return null;
  if (!(hash instanceof OctetString)) return null;
  if (!createHash(digest).update(content).digest().equals(Buffer.from(hash.getValue()))) return null;
  return Buffer.from(info.signedAttrs.encodedValue);
}

function read(bytes: Buffer): SignedContainer {
  const reader = new BerReader(bytes, MAX_NODES);
  const signedData = contentOf(reader, reader.read(), SIGNED_DATA);
  if (signedData.tag !== SEQUENCE) throw new BerError('it is not signed data');
  const content = reader.octets(contentOf(reader, child(signedData, 2, SEQUENCE), DATA));
  const sets = signedData.children.slice(3);
  const [signer, ...others] = sets.find(({ tag }) => tag === SET)?.children ?? [];
  if (!signer) throw new NotGenuine('The receipt is not signed.');
  if (others.length > 0) throw new NotGenuine('The receipt has several signers.');
  const certificates = certificatesIn(
    reader,
    sets.find(({ tag }) => tag === TAGGED_0),
  );
  const info = SignerInfo.fromBER(part(reader, signer));
  const digest = digestOf(info);
  const signed = digest && signedBytes(info, digest, content);
  return {
    content,
    certificates,
    signer: signerIn(certificates, info),
    isSignedWith: (key) =>
      signed !== null &&
      key.asymmetricKeyType === 'rsa' &&
      verify(digest, signed, key, Buffer.from(info.signature.getValue())),
  };
}

/** @throws NotGenuine if the bytes are not a PKCS#7 SignedData with exactly one signer */
export function readSignedContainer(bytes: Buffer): SignedContainer {
  try {
    return read(bytes);
  } catch (error) {
    // The libraries throw many kinds of errors for malformed bytes.
    throw error instanceof NotGenuine ? error : new BerError('its parts do not match');
  }
}
