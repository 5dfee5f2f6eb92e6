import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { settings } from '../config/config.schema.js';
import type { Log } from '../observability/log.js';
import { startEmbeddedPostgres } from './embedded/index.js';

export interface ProvidedDatabase {
  url: string;
  /** The configuration with the database and the encryption key filled in. */
  config: Config;
  readonly stop: () => Promise<void>;
}

/** The key made on the first start of the embedded database, and kept beside it. */
function localEncryptionKey(dataDir: string): Buffer {
  const file = join(dataDir, 'encryption.key');
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}

/** @throws Error that says what to do when the folder cannot be used */
function prepareFolder(dataDir: string, encryptionKey: Buffer | null): Buffer {
  try {
    mkdirSync(dataDir, { recursive: true });
    return encryptionKey ?? localEncryptionKey(dataDir);
  } catch (error) {
    throw new Error(
      `The folder ${dataDir} of the embedded PostgreSQL cannot be used: ${(error as Error).message}. ` +
        `Set ${settings.databaseUrl.variable} to a PostgreSQL, or ${settings.dataDir.variable} to a folder that may be written.`,
      { cause: error },
    );
  }
}

/** The database of the configuration, or an embedded PostgreSQL in the data folder. */
export async function provideDatabase(config: Config, log: Log): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, config, stop: () => Promise.resolve() };
  }
  const dataDir = resolve(config.dataDir);
  const encryptionKey = prepareFolder(dataDir, config.encryptionKey);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    durability: 'full',
    onLost: (error) => {
      log.error({ err: error }, 'the embedded PostgreSQL is gone; the server ends');
      process.exit(1);
    },
    log: (line) => log.info({ postgres: line }, 'embedded PostgreSQL'),
  });
  return {
    url: postgres.url,
    config: config.with({
      databaseUrl: postgres.url,
      encryptionKey,
      allowPrivateNetworks: config.allowPrivateNetworks,
    }),
    stop: () => postgres.stop(),
  };
}
