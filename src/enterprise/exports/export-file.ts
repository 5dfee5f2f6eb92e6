import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { StreamSignature } from '../../../libs/signing/index.js';

const CHUNK = 64 * 1024;

/** A finished export on disk. It has no name there, so nothing is left if the process dies. */
export interface ExportFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** Base64, or null without a key. */
  signature: string | null;
  read(): Readable;
  close(): Promise<void>;
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `tenure-export-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return handle;
}

/**
 * Writes an export to a temporary file, because its hash and signature are sent before its first byte. Memory does not
 * grow with its size.
 */
export async function writeExportFile(
  parts: AsyncIterable<string>,
  signing: StreamSignature | null,
): Promise<ExportFile> {
  const handle = await openNameless();
  const read = (): Readable => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK });
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const part of parts) {
      const bytes = Buffer.from(part);
      hash.update(bytes);
      signing?.update(bytes);
      await handle.writeFile(bytes);
      size += bytes.length;
    }
    const sha256 = hash.digest('hex');
    const signature = signing && (await signing.finish(read())).toString('base64');
    return { size, sha256, signature, read, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
