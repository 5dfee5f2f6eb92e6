import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { open } from 'node:fs/promises';
import { FileError } from './file-error.js';

const UNREADABLE_FORMATS: [magic: string, advice: string][] = [
  ['PAR1', 'is a Parquet file. Convert it to CSV first'],
  ['PK\u0003\u0004', 'is a ZIP archive. Unpack it first'],
  ['\u00ff\u00fe', 'is encoded in UTF-16. Save it as UTF-8'],
  ['\u00fe\u00ff', 'is encoded in UTF-16. Save it as UTF-8'],
];
const BYTE_ORDER_MARK = '\ufeff';

async function firstBytes(file: string): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new FileError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

function refuseFormat(file: string, start: Buffer): void {
  const text = start.toString('latin1');
  const found = UNREADABLE_FORMATS.find(([magic]) => text.startsWith(magic));
  if (found) throw new FileError(`${file} ${found[1]}.`);
}

/** @throws FileError if the file cannot be read, or has a known but unsupported format */
export async function checkFile(file: string): Promise<void> {
  refuseFormat(file, await firstBytes(file));
}

/** Reads a file's text in chunks, without its byte order mark. A gzip file is recognized by its first bytes. */
export async function* textOf(file: string): AsyncGenerator<string> {
  const start = await firstBytes(file);
  refuseFormat(file, start);
  const raw = createReadStream(file);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const bytes = isGzip ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => bytes.destroy(error));
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let isFirst = true;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (isFirst && isGzip) refuseFormat(file, chunk.subarray(0, 4));
      const text = decoder.decode(chunk, { stream: true });
      yield isFirst && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
      isFirst &&= text === '';
    }
    yield decoder.decode();
  } catch (error) {
    if (error instanceof FileError) throw error;
    const isEncoding = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw new FileError(
      isEncoding
        ? `${file} is not encoded in UTF-8.`
        : `Cannot read ${file} to its end: ${(error as Error).message}`,
    );
  } finally {
    raw.destroy();
  }
}

/**
 * Reads lines without their ends (`
 * `, `\r
 * `), numbered from 1.
 */
export async function* linesOf(file: string): AsyncGenerator<{ line: number; text: string }> {
  let rest = '';
  let line = 0;
  for await (const piece of textOf(file)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { line: ++line, text: text.endsWith('\r') ? text.slice(0, -1) : text };
  }
  if (rest !== '') yield { line: line + 1, text: rest };
}
