import { createHmac } from 'node:crypto';
import { deriveKey } from '../../../libs/signing/index.js';

const PURPOSE = 'service/logged-app-user-ids/v1';
const HEX_LENGTH = 16;

/** The same in every process with the key; cannot be reversed without the key. */
export function appUserIdHash(encryptionKey: Buffer): (appUserId: string) => string {
  const key = deriveKey(encryptionKey, PURPOSE);
  return (appUserId) => createHmac('sha256', key).update(appUserId).digest('hex').slice(0, HEX_LENGTH);
}

export function loggedAppUserIds(config: {
  logAppUserIds: boolean;
  encryptionKey: Buffer | null;
}): (appUserId: string) => string {
  if (config.logAppUserIds) return (appUserId) => appUserId;
  return config.encryptionKey === null ? () => '[masked]' : appUserIdHash(config.encryptionKey);
}
