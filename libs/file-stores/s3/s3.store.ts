import type { FileStoreEnvironment } from '../environment.js';
import { segmentsOf } from '../file-key.js';
import { FileStoreError, isFileStoreError } from '../file-store-error.js';
import type { PartTag, UploadHandle } from '../file-store.js';
import { elementsOf } from '../objects/answer-elements.js';
import { mediaTypeOf } from '../objects/media-type.js';
import { type ObjectRequest, ObjectStore } from '../objects/object.store.js';
import type { S3Settings } from '../settings.js';
import type { StoreText } from '../store-text.js';
import { S3Client } from './s3-client.js';

/** A quoted text of visible characters; it becomes part of an XML document. */
const ETAG = /^[\x21-\x7e]{1,200}$/;

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A bucket of S3, or of a store with its protocol. Files are multipart uploads; open uploads are never listed. */
export class S3Store extends ObjectStore {
  constructor(
    private readonly settings: S3Settings,
    environment: FileStoreEnvironment,
    text: StoreText,
  ) {
    super(new S3Client(settings, environment), environment, text);
  }

  async open(key: string): Promise<UploadHandle> {
    segmentsOf(key);
    const headers = this.headersOf(key);
    const answer = await this.accepted({ method: 'POST', key, query: { uploads: '' }, headers });
    const id = elementsOf(answer.body.toString('utf8')).UploadId;
    if (!id) throw new FileStoreError('store_error', 'The store started an upload without an id.');
    return { key, id };
  }

  async writePart(
    { key, id }: UploadHandle,
    number: number,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<PartTag> {
    const query = { partNumber: String(number), uploadId: id };
    const answer = await this.accepted({ method: 'PUT', key, query, body: bytes, signal });
    const tag = answer.header('etag') ?? '';
    if (!ETAG.test(tag))
      throw new FileStoreError('store_error', 'The store accepted a part without an ETag.');
    return { number, tag };
  }

  async abort({ key, id }: UploadHandle): Promise<string | null> {
    try {
      await this.accepted({ method: 'DELETE', key, query: { uploadId: id } });
      return null;
    } catch (error) {
      if (isFileStoreError(error, 'upload_lost')) return null;
      const reason = isFileStoreError(error) ? error.message : 'The request failed.';
      return `The unfinished upload of ${key} was not removed. ${reason}`;
    }
  }

  protected completion({ key, id }: UploadHandle, parts: readonly PartTag[]): ObjectRequest {
    const listed = [...parts]
      .sort((a, b) => a.number - b.number)
      .map(
        ({ number, tag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${xmlText(tag)}</ETag></Part>`,
      );
    const root = 'CompleteMultipartUpload';
    const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
    const body = Buffer.from(`<${root} xmlns="${namespace}">${listed.join('')}</${root}>`);
    return { method: 'POST', key, query: { uploadId: id }, body };
  }

  protected storing(key: string, bytes: Buffer): ObjectRequest {
    return { method: 'PUT', key, headers: this.headersOf(key), body: bytes };
  }

  private headersOf(key: string): Record<string, string> {
    const { server_side_encryption: encryption, kms_key_id: keyId } = this.settings;
    return {
      'content-type': mediaTypeOf(key),
      ...(encryption && encryption !== 'none' && { 'x-amz-server-side-encryption': encryption }),
      ...(encryption === 'aws:kms' && keyId && { 'x-amz-server-side-encryption-aws-kms-key-id': keyId }),
    };
  }
}
