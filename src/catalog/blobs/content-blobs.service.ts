import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { blobRef } from '../../../libs/paywalls/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ContentBlobsRepository, type StoredBlob } from './content-blobs.repository.js';

/** Bytes of blobs that a process keeps. */
const MAX_BYTES = 32 * 2 ** 20;
/** Phones read JSON blobs as bytes; browsers must not render them. */
const JSON_TYPE = 'application/octet-stream';

/** Content named by its checksum. It never changes, so each process reads it once and keeps it. */
@Injectable()
export class ContentBlobsService {
  private readonly kept = new LRUCache<string, StoredBlob>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  private readonly reads = new Map<string, Promise<StoredBlob | null>>();

  constructor(private readonly repository: ContentBlobsRepository) {}

  /** Stores a JSON value and returns its ref and length. */
  async storeJson(
    tx: Transaction,
    projectId: string,
    value: object,
    now: Date,
  ): Promise<{ ref: string; length: number }> {
    const bytes = Buffer.from(JSON.stringify(value));
    const ref = await this.store(tx, projectId, { contentType: JSON_TYPE, bytes }, now);
    return { ref, length: bytes.length };
  }

  /** Returns the ref. */
  async store(tx: Transaction, projectId: string, blob: StoredBlob, now: Date): Promise<string> {
    const ref = blobRef(blob.bytes);
    await this.repository.store(tx, projectId, ref, blob, now);
    return ref;
  }

  /** They are deleted after 30 days, unless they are stored again. */
  markUnused(tx: Transaction, projectId: string, refs: readonly string[], now: Date): Promise<void> {
    return this.repository.markUnused(tx, projectId, refs, now);
  }

  /** Returns the blob at once if this process keeps it; null if there is none. */
  read(projectId: string, ref: string): StoredBlob | Promise<StoredBlob | null> {
    const key = `${projectId}/${ref}`;
    return this.kept.get(key) ?? this.reads.get(key) ?? this.load(key, projectId, ref);
  }

  private load(key: string, projectId: string, ref: string): Promise<StoredBlob | null> {
    const read = this.repository
      .find(projectId, ref)
      .then((blob) => {
        if (blob) this.kept.set(key, blob);
        return blob;
      })
      .finally(() => this.reads.delete(key));
    this.reads.set(key, read);
    return read;
  }
}
