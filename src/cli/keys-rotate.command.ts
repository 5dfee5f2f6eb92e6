import { settings } from '../platform/config/config.schema.js';
import { CommandFailed } from './command-failed.js';
import { print, withDatabase } from './context.js';
import { tallySealedTexts } from './sealed-texts.js';

/** Reseals everything that only the other encryption key can open with the current one. Servers may keep running. */
export function rotateKeys(): Promise<void> {
  return withDatabase(async ({ config, dataSource }) => {
    if (config.otherEncryptionKey === null) {
      throw new CommandFailed(
        `Set ${settings.otherEncryptionKey.variable} to the key before, and ${settings.encryptionKey.variable} to the new one.`,
      );
    }
    if (config.encryptionKey === null)
      throw new CommandFailed(`${settings.encryptionKey.variable} is not set.`);
    const keys = { present: config.encryptionKey, other: config.otherEncryptionKey };
    const { present, other, closed } = await tallySealedTexts(dataSource, keys, { rotate: true });
    print(`${other} secrets were sealed anew, ${present} had the present key already.`);
    if (closed.length > 0) {
      throw new CommandFailed(`${closed.length} secrets open with neither key:\n${closed.join('\n')}`);
    }
  });
}
