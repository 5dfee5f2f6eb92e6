import { maskerOf } from '../destinations/index.js';

const MAX_LENGTH = 300;

const CONTROL = /[\s\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Credentials and signatures of requests, which a store may repeat in an answer. */
const REQUEST_SECRETS = [
  /\b(AWS4-HMAC-SHA256|SharedKey|Bearer|Basic)\s[^\s"'<>]+([, ]+(Signature|SignedHeaders|Credential)=[^\s"'<>,]+)*/gi,
  /\b((X-Amz-)?Signature|sig)=[^\s"'<>&,]+/gi,
];

/** Turns the text of a store into one that may be stored and shown: one line, no credentials, at most 300 characters. */
export type StoreText = (text: string) => string;

export function storeTextWithout(credentials: readonly string[]): StoreText {
  const mask = maskerOf(credentials);
  return (text) => {
    const masked = REQUEST_SECRETS.reduce((line, secret) => line.replaceAll(secret, '[masked]'), mask(text));
    const shown = masked.toWellFormed().replaceAll(CONTROL, ' ').trim();
    return [...shown].slice(0, MAX_LENGTH).join('');
  };
}
