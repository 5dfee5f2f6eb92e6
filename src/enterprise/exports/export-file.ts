import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamSignature } from '../../../libs/signing/index.js';
import { ApiError } from '../../platform/http/api-error.js';

const CHUNK = 64 * 1024;
const UNWRITABLE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'ENOENT', 'EPERM']);

/** A finished export on disk. It has no name there, so nothing is left if the process dies. */
export interface ExportFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** Base64, or null without a key. */
  signature: string | null;
  /** Each chunk is valid until the next one is asked for. */
  read(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `tenure-export-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const message = `Exports need a temporary directory; the server cannot write to ${folder}. Mount one, or set TMPDIR.`;
    throw new ApiError('internal', message);
  });
  await unlink(path).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  return handle;
}

/** One buffer for all chunks: garbage of this size is collected too late. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Encodes texts into chunks, each valid until the next one. */
async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const encoder = new TextEncoder();
  const buffer = Buffer.allocUnsafe(CHUNK);
  let filled = 0;
  for await (const part of parts) {
    for (let rest = part; rest !== '';) {
      const { read, written } = encoder.encodeInto(rest, buffer.subarray(filled));
      rest = rest.slice(read);
      filled += written;
      if (rest === '') break;
      yield buffer.subarray(0, filled);
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let from = 0; from < chunk.length;)
    from += (await handle.write(chunk, from, chunk.length - from)).bytesWritten;
}

/**
 * Writes an export to a temporary file, because its hash and signature are sent before its first byte. Memory does not
 * grow with its size.
 */
export async function writeExportFile(
  parts: AsyncIterable<string>,
  signing: StreamSignature | null,
  folder = tmpdir(),
): Promise<ExportFile> {
  const handle = await openNameless(folder);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of encoded(parts)) {
      hash.update(chunk);
      signing?.update(chunk);
      await writeAll(handle, chunk);
      size += chunk.length;
    }
    const sha256 = hash.digest('hex');
    const signature = signing && (await signing.finish(chunksOf(handle))).toString('base64');
    return { size, sha256, signature, read: () => chunksOf(handle), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
