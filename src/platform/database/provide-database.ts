import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { settings } from '../config/config.schema.js';
import type { LogService } from '../observability/log.service.js';
import {
  FolderInUse,
  runningPostgres,
  startEmbeddedPostgres,
} from '../../../libs/embedded-postgres/index.js';

export interface ProvidedDatabase {
  url: string;
  /** The configuration with the database and the encryption key filled in. */
  config: Config;
  readonly stop: () => Promise<void>;
}

/** The embedded database's folder cannot be used. The message tells the operator how to fix it. */
export class UnusableFolder extends Error {}

/** Key created on the first start of the embedded database and stored in its folder. */
function localEncryptionKey(dataDir: string): Buffer {
  const file = join(dataDir, 'encryption.key');
  try {
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}

/** @throws UnusableFolder */
function prepareFolder(dataDir: string, encryptionKey: Buffer | null): Buffer {
  try {
    mkdirSync(dataDir, { recursive: true });
    return encryptionKey ?? localEncryptionKey(dataDir);
  } catch (error) {
    throw new UnusableFolder(
      `The folder ${dataDir} of the embedded PostgreSQL cannot be used: ${(error as Error).message}. ` +
        `Set ${settings.databaseUrl.variable} to a PostgreSQL, or ${settings.dataDir.variable} to a folder that may be written.`,
      { cause: error },
    );
  }
}

/** @throws UnusableFolder */
export function encryptionKeyOf({ encryptionKey, databaseUrl, dataDir }: Config): Buffer | null {
  return databaseUrl === null ? prepareFolder(resolve(dataDir), encryptionKey) : encryptionKey;
}

/** The server for a folder: started by this process, or with `isGuest` the one already running there. */
async function embeddedIn(
  folder: string,
  isGuest: boolean,
  log: LogService,
): Promise<{ url: string; stop: () => Promise<void> }> {
  try {
    return await startEmbeddedPostgres({
      dataDir: folder,
      durability: 'full',
      onLost: (error) => {
        log.fatal({ err: error }, 'the embedded PostgreSQL is gone; the server ends');
        process.exit(1);
      },
      log: (line) => log.info({ postgres: line }, 'embedded PostgreSQL'),
    });
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    const running = isGuest ? runningPostgres(folder) : null;
    if (running !== null) return { url: running.url, stop: () => Promise.resolve() };
    throw new UnusableFolder(inUse(error, folder, isGuest), { cause: error });
  }
}

function inUse({ pid }: FolderInUse, folder: string, isGuest: boolean): string {
  const { variable } = settings.dataDir;
  const advice = isGuest
    ? 'Wait until it has started, or stop it'
    : `Stop it, or set ${variable} to another folder`;
  return `The folder ${folder} is in use by another Tenure process (${pid}). ${advice}.`;
}

/**
 * Provides the configured database, or an embedded PostgreSQL in the data folder.
 * @param isGuest for commands that may share the folder's running server
 * @throws UnusableFolder
 */
export async function provideDatabase(
  config: Config,
  log: LogService,
  isGuest = false,
): Promise<ProvidedDatabase> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, config, stop: () => Promise.resolve() };
  }
  const dataDir = resolve(config.dataDir);
  const encryptionKey = prepareFolder(dataDir, config.encryptionKey);
  const postgres = await embeddedIn(join(dataDir, 'postgres'), isGuest, log);
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
