import { type KeyObject, sign } from 'node:crypto';
import type { Certificate, Chain } from './certificates.js';

export function base64url(value: object | string | Buffer): string {
  const bytes = Buffer.isBuffer(value) ? value : typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.from(bytes).toString('base64url');
}

export interface SigningOptions {
  header?: Record<string, unknown>;
  /** Certificates in this order; all three by default. */
  x5c?: Certificate[];
  key?: KeyObject;
}

/** Signs payloads as the App Store does: ES256, with its certificates in the header. */
export class Signer {
  constructor(readonly chain: Chain) {}

  sign(payload: object | string, options: SigningOptions = {}): string {
    const { root, intermediate, leaf } = this.chain;
    const x5c = (options.x5c ?? [leaf, intermediate, root]).map(({ der }) => der.toString('base64'));
    const header = { alg: 'ES256', x5c, ...options.header };
    const text = `${base64url(header)}.${base64url(payload)}`;
    const signature = sign('sha256', Buffer.from(text), {
      key: options.key ?? leaf.key,
      dsaEncoding: 'ieee-p1363',
    });
    return `${text}.${base64url(signature)}`;
  }
}

/** A signed text with a part of it replaced. */
export function altered(jws: string, part: 0 | 1 | 2, change: (text: string) => string): string {
  const parts = jws.split('.');
  parts[part] = change(parts[part] ?? '');
  return parts.join('.');
}

export function changedPayload(jws: string, changes: object): string {
  return altered(jws, 1, (text) =>
    base64url({ ...(JSON.parse(Buffer.from(text, 'base64url').toString()) as object), ...changes }),
  );
}
