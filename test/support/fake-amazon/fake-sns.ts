import { createSign, randomUUID } from 'node:crypto';
import type { ManualClock } from '../../../libs/kernel/index.js';
import { type Certificate, certificate, pemOf } from '../fake-app-store/certificates.js';
import { type FakeAnswer, type FakeCall, FakeHttp } from '../fake-http.js';

export type SnsFields = Record<string, string>;

const orders: Record<string, string[]> = {
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
};

export const TOPIC = 'arn:aws:sns:us-east-1:123456789012:appstore-notifications';

/** Amazon's notification service with a certificate of its own, at the address where the real one would have it. */
export class FakeSns extends FakeHttp {
  readonly host = 'https://sns.us-east-1.amazonaws.com';
  /** Topics whose subscription was confirmed. */
  readonly confirmed: string[] = [];
  private readonly issuer = certificate({ commonName: 'Fake Amazon CA', isCa: true });
  private readonly certificates = new Map<string, Certificate>();

  constructor(readonly clock: ManualClock) {
    super();
    this.issue('/SimpleNotificationService-0123456789abcdef.pem');
  }

  /** Puts another certificate up. */
  issue(path: string, times: { fromMs?: number; toMs?: number } = {}): string {
    const made = certificate({ commonName: 'sns.amazonaws.com', issuer: this.issuer, rsa: true, ...times });
    this.certificates.set(path, made);
    return `${this.host}${path}`;
  }

  get certificateUrl(): string {
    return `${this.host}/SimpleNotificationService-0123456789abcdef.pem`;
  }

  notification(message: string, more: SnsFields = {}): SnsFields {
    return this.signed({ Type: 'Notification', ...this.head(), Message: message, ...more });
  }

  subscription(more: SnsFields = {}): SnsFields {
    const Token = '2336412f37';
    const head = this.head();
    const topic = more.TopicArn ?? head.TopicArn ?? '';
    const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topic, Token });
    const SubscribeURL = `${this.host}/?${query.toString()}`;
    const Message = 'You have chosen to subscribe.';
    return this.signed({ Type: 'SubscriptionConfirmation', ...head, Message, Token, SubscribeURL, ...more });
  }

  /** Signs anew with the key behind a certificate. */
  signed(
    fields: SnsFields,
    certificatePath = new URL(this.certificateUrl).pathname,
    order?: string[],
  ): SnsFields {
    const key = this.certificates.get(certificatePath)?.key;
    if (!key) throw new Error('there is no such certificate');
    const names = order ?? orders[fields.Type ?? ''] ?? [];
    const text = names
      .flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`]))
      .join('');
    const hash = fields.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
    return { ...fields, Signature: createSign(hash).update(text).sign(key).toString('base64') };
  }

  protected answer({ path, query }: FakeCall): FakeAnswer {
    const shown = this.certificates.get(path);
    if (shown) return { status: 200, body: pemOf(shown) };
    if (query.get('Action') !== 'ConfirmSubscription') return { status: 404 };
    this.confirmed.push(query.get('TopicArn') ?? '');
    return { status: 200, body: '<ConfirmSubscriptionResponse/>' };
  }

  private head(): SnsFields {
    return {
      MessageId: randomUUID(),
      TopicArn: TOPIC,
      Timestamp: new Date(this.clock.nowMs()).toISOString(),
      SignatureVersion: '2',
      SigningCertURL: this.certificateUrl,
    };
  }
}
