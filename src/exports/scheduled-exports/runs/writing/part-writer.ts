import { createHash } from 'node:crypto';
import {
  type FileStore,
  partBytes,
  type PartTag,
  type UploadHandle,
} from '../../../../../libs/file-stores/index.js';

const IN_FLIGHT = 2;
/** Two of the large parts at the end of a huge file would need too much memory. */
const LARGE_IN_FLIGHT = 1;

export interface WrittenFile {
  parts: PartTag[];
  bytes: number;
  sha256: string;
}

/** Cuts a file into parts and stores them, at most two at once. The producer of the bytes waits. */
export class PartWriter {
  private readonly hash = createHash('sha256');
  private readonly parts: PartTag[] = [];
  private readonly running = new Set<Promise<void>>();
  private chunks: Buffer[] = [];
  private waiting = 0;
  private bytes = 0;
  private number = 1;
  private failure: { error: unknown } | null = null;

  constructor(
    private readonly store: FileStore,
    private readonly upload: UploadHandle,
    private readonly signal: AbortSignal,
  ) {}

  async write(bytes: Buffer): Promise<void> {
    this.hash.update(bytes);
    this.bytes += bytes.length;
    let rest = bytes;
    for (;;) {
      const missing = partBytes(this.number) - this.waiting;
      if (rest.length < missing) break;
      this.add(rest.subarray(0, missing));
      rest = rest.subarray(missing);
      await this.send();
    }
    if (rest.length > 0) this.add(rest);
  }

  /** Resolves once every part is stored. A file has at least one part. */
  async end(): Promise<WrittenFile> {
    if (this.waiting > 0 || this.number === 1) await this.send();
    await this.waitForParts(0);
    const parts = this.parts.toSorted((a, b) => a.number - b.number);
    return { parts, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  /** Waits for running parts after a failure elsewhere, so that nothing is written behind an abort. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  private add(bytes: Buffer): void {
    this.chunks.push(bytes);
    this.waiting += bytes.length;
  }

  private async send(): Promise<void> {
    const number = this.number++;
    const isLarge = partBytes(number) > partBytes(1);
    await this.waitForParts((isLarge ? LARGE_IN_FLIGHT : IN_FLIGHT) - 1);
    const bytes = Buffer.concat(this.chunks);
    this.chunks = [];
    this.waiting = 0;
    const part = this.store
      .writePart(this.upload, number, bytes, this.signal)
      .then(
        (tag) => void this.parts.push(tag),
        (error: unknown) => void (this.failure ??= { error }),
      )
      .finally(() => this.running.delete(part));
    this.running.add(part);
  }

  /** Waits until at most `most` parts are running. @throws the error of a part that failed */
  private async waitForParts(most: number): Promise<void> {
    while (this.running.size > most && !this.failure) await Promise.race(this.running);
    if (this.failure) throw this.failure.error;
  }
}
