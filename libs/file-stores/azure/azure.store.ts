import { randomBytes } from 'node:crypto';
import type { FileStoreEnvironment } from '../environment.js';
import { segmentsOf } from '../file-key.js';
import type { PartTag, UploadHandle } from '../file-store.js';
import { mediaTypeOf } from '../objects/media-type.js';
import { type ObjectRequest, ObjectStore } from '../objects/object.store.js';
import type { AzureSettings } from '../settings.js';
import type { StoreText } from '../store-text.js';
import { azureContainer } from './azure-account.js';
import { AzureClient } from './azure-client.js';

/** A container of Azure Blob Storage. Parts are uncommitted blocks. */
export class AzureStore extends ObjectStore {
  constructor(settings: AzureSettings, environment: FileStoreEnvironment, text: StoreText) {
    super(new AzureClient(azureContainer(settings), environment), environment, text);
  }

  async open(key: string): Promise<UploadHandle> {
    segmentsOf(key);
    // Blocks of two uploads with one key must not have the same ids.
    return Promise.resolve({ key, id: randomBytes(8).toString('hex') });
  }

  async writePart(
    { key, id }: UploadHandle,
    number: number,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<PartTag> {
    // All ids of a blob must have the same length.
    const tag = Buffer.from(`${id}-${String(number).padStart(6, '0')}`).toString('base64');
    await this.accepted({ method: 'PUT', key, query: { comp: 'block', blockid: tag }, body: bytes, signal });
    return { number, tag };
  }

  /** Azure discards uncommitted blocks after a week; no request removes them without making the blob visible. */
  abort(): Promise<string | null> {
    return Promise.resolve(null);
  }

  protected completion({ key }: UploadHandle, parts: readonly PartTag[]): ObjectRequest {
    const listed = [...parts]
      .sort((a, b) => a.number - b.number)
      .map(({ tag }) => `<Uncommitted>${tag.replace(/[^\w+/=]/g, '')}</Uncommitted>`);
    const body = Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?><BlockList>${listed.join('')}</BlockList>`,
    );
    const headers = { 'x-ms-blob-content-type': mediaTypeOf(key) };
    return { method: 'PUT', key, query: { comp: 'blocklist' }, headers, body };
  }

  protected storing(key: string, bytes: Buffer): ObjectRequest {
    const headers = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-blob-content-type': mediaTypeOf(key) };
    return { method: 'PUT', key, headers, body: bytes };
  }
}
