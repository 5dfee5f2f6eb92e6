import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileSigner } from '../../../libs/signing/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';

const CHUNK = 64 * 1024;
const UNWRITABLE: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'ENOENT', 'EPERM']);

/** A finished export on disk. The file is already unlinked, so nothing remains if the process crashes. */
export interface ExportFile {
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** Base64, or null without a key. */
  signature: string | null;
  /** Each chunk is valid until the next one is requested. */
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

/** Reuses one buffer, because garbage of this size is collected too late. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Encodes strings into chunks. Each chunk is valid until the next one is requested. */
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

/** Ed25519 hashes the message twice, so node:crypto needs the whole content at once. */
async function contentOf(handle: FileHandle, size: number): Promise<Buffer> {
  const content = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of chunksOf(handle)) filled += chunk.copy(content, filled);
  return content;
}

/**
 * Writes an export to a temporary file, because its hash and signature are sent before its first byte. Only a signature
 * needs the whole file in memory.
 * @param signer null if the server has no root key
 */
export async function writeExportFile(
  parts: AsyncIterable<string>,
  signer: FileSigner | null,
  folder = tmpdir(),
): Promise<ExportFile> {
  const handle = await openNameless(folder);
  try {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of encoded(parts)) {
      hash.update(chunk);
      await writeAll(handle, chunk);
      size += chunk.length;
    }
    const sha256 = hash.digest('hex');
    const signature = signer && (await signer.sign(await contentOf(handle, size))).toString('base64');
    return { size, sha256, signature, read: () => chunksOf(handle), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
