import { settings } from '../platform/config/config.schema.js';
import { encryptionKeyOf } from '../platform/database/provide-database.js';
import { appUserIdHash } from '../platform/observability/app-user-id-hash.js';
import { CommandFailed } from './command-failed.js';
import { commandConfig, print } from './context.js';

export function logId(appUserId: string): void {
  const key = encryptionKeyOf(commandConfig());
  if (key === null) throw new CommandFailed(`${settings.encryptionKey.variable} is not set.`);
  print(appUserIdHash(key)(appUserId));
}
