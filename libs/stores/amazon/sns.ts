import { createVerify, X509Certificate } from 'node:crypto';
import { isJsonObject, parseJson } from '../../kernel/index.js';
import { NotGenuine } from '../apple/not-genuine.js';

/** A message of Amazon's Simple Notification Service with a verified signature. */
export interface SnsMessage {
  type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  id: string;
  topicArn: string;
  message: string;
  sentAtMs: number | null;
  /** Confirms this server's subscription; always one of Amazon's addresses. */
  subscribeUrl: string | null;
  /** Sent in a confirmation; proves that the message arrived here. */
  token: string | null;
}

/** Fetches one of Amazon's addresses. @throws any error if it fails */
export type ReadAddress = (url: string) => Promise<{ status: number; body: string }>;

/** The certificate could not be fetched; the message may be genuine. */
export class CertificateUnavailable extends Error {
  constructor() {
    super('The certificate of the notification could not be read.');
    this.name = 'CertificateUnavailable';
  }
}

const HOST = /^sns\.[a-z]{2,4}(-[a-z0-9]+){1,4}\.amazonaws\.com(\.cn)?$/;
const CERTIFICATE = /^\/[A-Za-z0-9_-]+\.pem$/;
const TTL_MS = 24 * 3_600_000;
const MAX_CERTIFICATES = 32;

/** The signed fields by message type, in the order they are signed. */
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

const hashes: Record<string, string> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' };

type Fields = Record<string, string>;

/** Accepts only the form that a URL parser writes, so that no other parser finds a different host in it. */
function addressOfAmazon(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';
  return isPlain && HOST.test(url.hostname) && url.href === text ? url : null;
}

function fieldsOf(body: Buffer): Fields {
  let json: unknown;
  try {
    json = parseJson(body);
  } catch {
    throw new NotGenuine('The body is not an SNS message.');
  }
  if (!isJsonObject(json)) throw new NotGenuine('The body is not an SNS message.');
  const texts = Object.entries(json).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

function typeOf({ Type }: Fields): SnsMessage['type'] {
  if (Type !== undefined && Object.hasOwn(signedFields, Type)) return Type as SnsMessage['type'];
  throw new NotGenuine('The body is not an SNS message.');
}

function signedText(fields: Fields, type: SnsMessage['type']): string {
  return signedFields[type]
    .map((name) => {
      const value = fields[name];
      if (value !== undefined) return `${name}\n${value}\n`;
      if (name === 'Subject') return '';
      throw new NotGenuine(`The message has no ${name}.`);
    })
    .join('');
}

/** The address must be Amazon's and for the same topic. */
function subscribeUrlOf({ SubscribeURL = '', TopicArn = '' }: Fields): string {
  const url = addressOfAmazon(SubscribeURL);
  const { searchParams } = url ?? new URL('https://none.invalid');
  if (searchParams.get('Action') !== 'ConfirmSubscription' || searchParams.get('TopicArn') !== TopicArn) {
    throw new NotGenuine('The confirmation URL of the subscription is not at Amazon.');
  }
  return SubscribeURL;
}

/** Verifies SNS messages. `read` fetches certificates, which are cached for a day. */
export class SnsVerifier {
  private readonly certificates = new Map<string, { certificate: X509Certificate; readAtMs: number }>();

  constructor(
    private readonly read: ReadAddress,
    private readonly nowMs: () => number,
  ) {}

  /** @throws NotGenuine; CertificateUnavailable if the certificate could not be fetched */
  async verify(body: Buffer): Promise<SnsMessage> {
    const fields = fieldsOf(body);
    const type = typeOf(fields);
    const hash = hashes[fields.SignatureVersion ?? ''];
    if (hash === undefined) throw new NotGenuine('The signature has an unknown version.');
    const text = signedText(fields, type);
    const { publicKey } = await this.certificate(fields.SigningCertURL ?? '');
    const signature = Buffer.from(fields.Signature ?? '', 'base64');
    if (
      publicKey.asymmetricKeyType !== 'rsa' ||
      !createVerify(hash).update(text).verify(publicKey, signature)
    ) {
      throw new NotGenuine('The signature does not match the message.');
    }
    return snsMessage(fields, type);
  }

  private async certificate(address: string): Promise<X509Certificate> {
    const url = addressOfAmazon(address);
    if (!url || url.search !== '' || url.hash !== '' || !CERTIFICATE.test(url.pathname)) {
      throw new NotGenuine('The certificate URL is not at Amazon SNS.');
    }
    const nowMs = this.nowMs();
    const known = this.certificates.get(address);
    const isFresh = known !== undefined && nowMs - known.readAtMs < TTL_MS;
    const certificate = isFresh ? known.certificate : await this.readCertificate(address);
    if (nowMs < Date.parse(certificate.validFrom) || nowMs > Date.parse(certificate.validTo)) {
      throw new NotGenuine('The certificate is not valid now.');
    }
    if (!isFresh) this.keep(address, certificate, nowMs);
    return certificate;
  }

  private keep(address: string, certificate: X509Certificate, readAtMs: number): void {
    const { certificates } = this;
    if (certificates.size >= MAX_CERTIFICATES) certificates.delete(certificates.keys().next().value ?? '');
    certificates.set(address, { certificate, readAtMs });
  }

  private async readCertificate(address: string): Promise<X509Certificate> {
    const answer = await this.read(address).catch(() => null);
    if (answer === null || answer.status === 429 || answer.status >= 500) throw new CertificateUnavailable();
    try {
      if (answer.status === 200) return new X509Certificate(answer.body);
    } catch {
      // Anything that is not a certificate is rejected as not genuine.
    }
    throw new NotGenuine('There is no certificate at the URL in the message.');
  }
}

/** Parses a message that was verified on arrival. @throws NotGenuine if it is not one */
export function readSnsMessage(body: Buffer): SnsMessage {
  const fields = fieldsOf(body);
  return snsMessage(fields, typeOf(fields));
}

function snsMessage(fields: Fields, type: SnsMessage['type']): SnsMessage {
  const sentAtMs = Date.parse(fields.Timestamp ?? '');
  const isToConfirm = type === 'SubscriptionConfirmation';
  return {
    type,
    id: fields.MessageId ?? '',
    topicArn: fields.TopicArn ?? '',
    message: fields.Message ?? '',
    sentAtMs: Number.isNaN(sentAtMs) ? null : sentAtMs,
    subscribeUrl: isToConfirm ? subscribeUrlOf(fields) : null,
    token: isToConfirm ? (fields.Token ?? null) : null,
  };
}
