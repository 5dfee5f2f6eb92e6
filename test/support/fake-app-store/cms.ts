import { createHash, type KeyObject, sign } from 'node:crypto';
import { type Certificate, name } from './certificates.js';
import { der, integer, oid, sequence } from './der.js';

export interface ContainerSigner {
  certificate: Certificate;
  /** Replaces the certificate's own value. */
  key?: KeyObject;
  /** SHA-256 when it is not said. */
  digest?: 'sha1' | 'sha256' | 'sha512';
  /** Signs attributes that vouch for the content, instead of the content. */
  attributes?: { contentType?: string; messageDigest?: Buffer };
}

export interface ContainerSigning {
  certificates: Certificate[];
  signers: ContainerSigner[];
  contentType?: string;
  /** Is there in place of what was signed. */
  shownContent?: Buffer;
  /** Writes lengths as Xcode does. */
  indefinite?: boolean;
}

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const RSA = '1.2.840.113549.1.1.1';
const digests = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha512: '2.16.840.1.101.3.4.2.3',
};

const set = (...contents: Buffer[]): Buffer => der(0x31, ...contents);
const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), set(value));
const algorithm = (id: string): Buffer => sequence(oid(id), Buffer.from([0x05, 0x00]));

/** The attributes of a signer, as they are signed. */
function signedAttributes(content: Buffer, { digest = 'sha256', attributes = {} }: ContainerSigner): Buffer {
  const hash = attributes.messageDigest ?? createHash(digest).update(content).digest();
  return set(
    attribute(CONTENT_TYPE, oid(attributes.contentType ?? DATA)),
    attribute(MESSAGE_DIGEST, der(0x04, hash)),
  );
}

function signerInfo(content: Buffer, signer: ContainerSigner): Buffer {
  const { certificate, key = certificate.key, digest = 'sha256' } = signer;
  const attributes = signer.attributes ? signedAttributes(content, signer) : null;
  const shown = attributes && Buffer.from(attributes);
  if (shown) shown[0] = 0xa0;
  return sequence(
    integer(Buffer.from([1])),
    sequence(name(certificate.issuerName), integer(certificate.serial)),
    algorithm(digests[digest]),
    shown ?? Buffer.alloc(0),
    algorithm(RSA),
    der(0x04, sign(digest, attributes ?? content, key)),
  );
}

/** PKCS#7 SignedData, as app receipts come in. */
export function signedContainer(content: Buffer, signing: ContainerSigning): Buffer {
  const { certificates, signers, contentType = DATA, shownContent = content, indefinite = false } = signing;
  const open = (tag: number, inner: Buffer): Buffer =>
    indefinite ? Buffer.concat([Buffer.from([tag, 0x80]), inner, Buffer.from([0, 0])]) : der(tag, inner);
  const half = Math.floor(shownContent.length / 2);
  const pieces = [shownContent.subarray(0, half), shownContent.subarray(half)];
  const octets = indefinite
    ? open(0x24, Buffer.concat(pieces.map((piece) => der(0x04, piece))))
    : der(0x04, shownContent);
  const signedData = Buffer.concat([
    integer(Buffer.from([1])),
    set(...signers.map(({ digest = 'sha256' }) => algorithm(digests[digest]))),
    open(0x30, Buffer.concat([oid(contentType), open(0xa0, octets)])),
    ...(certificates.length > 0 ? [der(0xa0, ...certificates.map((one) => one.der))] : []),
    set(...signers.map((signer) => signerInfo(content, signer))),
  ]);
  return open(0x30, Buffer.concat([oid(SIGNED_DATA), open(0xa0, open(0x30, signedData))]));
}
