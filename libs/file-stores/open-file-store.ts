import { AzureStore } from './azure/azure.store.js';
import type { FileStoreEnvironment } from './environment.js';
import { FileStoreError } from './file-store-error.js';
import type { FileStore } from './file-store.js';
import { LocalStore } from './local/local.store.js';
import { S3Store } from './s3/s3.store.js';
import { credentialsOf, type FileStoreSettings, type SftpSettings } from './settings.js';
import { SftpStore } from './sftp/sftp.store.js';
import { readHostKey } from './sftp/sftp-session.js';
import { storeTextWithout } from './store-text.js';

/** Google Cloud Storage speaks the protocol of S3 with HMAC keys. */
const GOOGLE = { endpoint: 'https://storage.googleapis.com', region: 'auto', path_style: true };

/** Opens a store; the first request connects. @throws FileStoreError if the settings cannot be used */
export function openFileStore(settings: FileStoreSettings, environment: FileStoreEnvironment): FileStore {
  const text = storeTextWithout(credentialsOf(settings));
  switch (settings.kind) {
    case 's3':
      return new S3Store(settings, environment, text);
    case 'gcs':
      return new S3Store({ ...settings, ...GOOGLE }, environment, text);
    case 'local':
      if (environment.exportDirectory === null) {
        throw new FileStoreError('not_found', 'This server has no folder for exports.');
      }
      return new LocalStore(environment.exportDirectory, environment.projectId);
    case 'azure':
      return new AzureStore(settings, environment, text);
    case 'sftp':
      return new SftpStore(settings, environment, text);
  }
}

/** Reads the fingerprint of an SFTP server's key, to be accepted by a person. Sends no credential. @throws FileStoreError */
export function readSftpHostKey(settings: SftpSettings, environment: FileStoreEnvironment): Promise<string> {
  const text = storeTextWithout(credentialsOf({ kind: 'sftp', ...settings }));
  return readHostKey(settings, environment, text);
}
