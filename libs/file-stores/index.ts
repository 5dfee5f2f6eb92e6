export { blobEndpoint } from './azure/azure-account.js';
export type { Connections, FileStoreEnvironment } from './environment.js';
export { FileStoreError, type FileStoreErrorCode, isFileStoreError } from './file-store-error.js';
export type { FileStore, PartTag, UploadHandle } from './file-store.js';
export { openFileStore, readSftpHostKey } from './open-file-store.js';
export { partBytes } from './parts.js';
export type { FileStoreSettings } from './settings.js';
export { testFileStore, type TestResult, type TestStep } from './test-file-store.js';
