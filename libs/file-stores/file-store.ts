/** An upload in progress. Plain JSON, so that another process can complete or abort it. */
export interface UploadHandle {
  key: string;
  /** Identifies the upload at the store: an upload id, the start of block ids, or the name of the partial file. */
  id: string;
}

/** A stored part. Plain JSON. */
export interface PartTag {
  number: number;
  /** An ETag or a block id; empty if the store needs none. */
  tag: string;
}

/**
 * A place for files. Methods throw FileStoreError, except that an aborted signal's reason is thrown as it is. Nothing that
 * exists is ever overwritten.
 */
export interface FileStore {
  /**
   * Starts a file. Save the handle before the first part is written: without it, nothing can abort the upload. The file
   * stays invisible until it is complete.
   */
  open(key: string): Promise<UploadHandle>;
  /**
   * Stores a part, numbered from 1. Every part but the last has `partBytes(number)` bytes, and a file has at least one.
   * Several parts may be written at once. Retries temporary failures.
   */
  writePart(upload: UploadHandle, number: number, bytes: Buffer, signal?: AbortSignal): Promise<PartTag>;
  /**
   * Makes the file visible under its key. A file of this size that is already there counts as this one, so completing
   * twice is safe.
   * @throws FileStoreError `already_exists` for another file, `upload_lost` if there is neither upload nor file
   */
  complete(upload: UploadHandle, parts: readonly PartTag[], size: number): Promise<void>;
  /** Removes an unfinished upload. Returns a warning if that failed; never throws. */
  abort(upload: UploadHandle): Promise<string | null>;
  /**
   * Stores a small file. Storing the same bytes again counts as done.
   * @throws FileStoreError `already_exists` for other bytes
   */
  put(key: string, bytes: Buffer): Promise<void>;
  /** Reads a small file. @throws FileStoreError `not_found`, `store_error` if it has more than `maxBytes` */
  get(key: string, maxBytes: number): Promise<Buffer>;
  /** Deletes a file; a file that is missing counts as deleted. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}
