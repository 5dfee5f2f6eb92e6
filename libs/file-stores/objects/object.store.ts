import type { FileStoreEnvironment } from '../environment.js';
import { segmentsOf } from '../file-key.js';
import { alreadyExists, isFileStoreError, tooLarge, uploadLost } from '../file-store-error.js';
import type { FileStore, PartTag, UploadHandle } from '../file-store.js';
import { type Retried, retriesIn } from '../retries.js';
import type { StoreText } from '../store-text.js';
import { elementsOf } from './answer-elements.js';
import type { HttpAnswer, HttpExchange } from './http-exchange.js';
import { isNotImplemented, objectFailure } from './object-failure.js';

/** A request about one file, before it is signed. */
export interface ObjectRequest extends Pick<HttpExchange, 'method' | 'body' | 'signal' | 'maxBytes'> {
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

export interface ObjectClient {
  /** Signs and sends a request. @throws FileStoreError if there was no answer */
  request(request: ObjectRequest): Promise<HttpAnswer>;
}

const isSuccess = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

/** An object store: a last conditional request makes its files visible. */
export abstract class ObjectStore implements FileStore {
  private readonly retried: Retried;

  protected constructor(
    private readonly client: ObjectClient,
    environment: FileStoreEnvironment,
    private readonly text: StoreText,
  ) {
    this.retried = retriesIn(environment);
  }

  abstract open(key: string): Promise<UploadHandle>;

  abstract writePart(
    upload: UploadHandle,
    number: number,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<PartTag>;

  abstract abort(upload: UploadHandle): Promise<string | null>;

  /** The request that turns parts into a file. */
  protected abstract completion(upload: UploadHandle, parts: readonly PartTag[]): ObjectRequest;

  /** The request that stores a small file. */
  protected abstract storing(key: string, bytes: Buffer): ObjectRequest;

  async complete(upload: UploadHandle, parts: readonly PartTag[], size: number): Promise<void> {
    // Also protects files in stores that ignore the condition of the request.
    if (await this.isStored(upload.key, size)) return;
    try {
      await this.storeUnlessThere(this.completion(upload, parts));
    } catch (error) {
      const mayBeStored = isFileStoreError(error, 'upload_lost', 'already_exists');
      if (mayBeStored && (await this.isStored(upload.key, size))) return;
      throw isFileStoreError(error, 'upload_lost') ? uploadLost(upload.key) : error;
    }
  }

  async put(key: string, bytes: Buffer): Promise<void> {
    segmentsOf(key);
    if (await this.holds(key, bytes)) return;
    try {
      await this.storeUnlessThere(this.storing(key, bytes));
    } catch (error) {
      // An earlier try of this request, whose answer was lost, may have stored it.
      if (isFileStoreError(error, 'already_exists') && (await this.holds(key, bytes))) return;
      throw error;
    }
  }

  async get(key: string, maxBytes: number): Promise<Buffer> {
    segmentsOf(key);
    const { body } = await this.accepted({ method: 'GET', key, maxBytes: maxBytes + 1 });
    if (body.length > maxBytes) throw tooLarge(key, maxBytes);
    return body;
  }

  async delete(key: string): Promise<void> {
    segmentsOf(key);
    try {
      await this.accepted({ method: 'DELETE', key });
    } catch (error) {
      if (!isFileStoreError(error, 'not_found')) throw error;
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  protected accepted(request: ObjectRequest): Promise<HttpAnswer> {
    return this.retried(async () => {
      const answer = await this.client.request(request);
      if (!isSuccess(answer)) throw objectFailure(answer, this.text);
      return answer;
    }, request.signal);
  }

  /** Stores that do not know the condition get the request without it. */
  private async storeUnlessThere(request: ObjectRequest): Promise<void> {
    await this.retried(async () => {
      const conditional = { ...request, headers: { ...request.headers, 'if-none-match': '*' } };
      const answer = await this.client.request(conditional);
      this.assertStored(isNotImplemented(answer) ? await this.client.request(request) : answer);
    });
  }

  /** S3 may answer 200 before it has assembled the file, and put an error into the body later. */
  private assertStored(answer: HttpAnswer): void {
    const isFailed = elementsOf(answer.body.toString('utf8')).Code !== undefined;
    if (!isSuccess(answer) || isFailed) throw objectFailure(answer, this.text);
  }

  /** @throws FileStoreError `already_exists` if a file of another size is there */
  private async isStored(key: string, size: number): Promise<boolean> {
    const answer = await this.lookUp(key, 1, { range: 'bytes=0-0' });
    if (answer === null) return false;
    const total =
      /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1] ?? answer.header('content-length');
    if (Number(total) !== size) throw alreadyExists(key);
    return true;
  }

  /** @throws FileStoreError `already_exists` if other bytes are there */
  private async holds(key: string, bytes: Buffer): Promise<boolean> {
    const answer = await this.lookUp(key, bytes.length + 1);
    if (answer === null) return false;
    if (!answer.body.equals(bytes)) throw alreadyExists(key);
    return true;
  }

  /**
   * Null if nothing is stored under the key. Without the permission to list, S3 answers 403 for a missing file, so 403
   * counts as missing here.
   */
  private lookUp(
    key: string,
    maxBytes: number,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer | null> {
    return this.retried(async () => {
      const answer = await this.client.request({ method: 'GET', key, headers, maxBytes });
      // 416: the file is empty.
      if (isSuccess(answer) || answer.status === 416) return answer;
      if ([403, 404].includes(answer.status)) return null;
      throw objectFailure(answer, this.text);
    });
  }
}
