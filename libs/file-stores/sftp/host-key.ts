import { createHash } from 'node:crypto';

/** The fingerprint of a public key as ssh-keygen prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

export const isSameKey = (pinned: string, seen: string): boolean => pinned.trim().replace(/=+$/, '') === seen;
