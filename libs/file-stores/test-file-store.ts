import { randomBytes } from 'node:crypto';
import { FileStoreError, type FileStoreErrorCode } from './file-store-error.js';
import type { FileStore } from './file-store.js';

export interface TestStep {
  name: 'write' | 'read' | 'delete';
  ok: boolean;
  duration_ms: number;
  code?: FileStoreErrorCode;
  message?: string;
}

export interface TestResult {
  ok: boolean;
  steps: TestStep[];
  /** The host key of an SFTP server that is not trusted. Nothing was written. */
  seenHostKey?: string;
}

interface Performed {
  step: TestStep;
  seenHostKey?: string;
}

async function performed(
  name: TestStep['name'],
  now: () => number,
  work: () => Promise<void>,
): Promise<Performed> {
  const startedAt = now();
  const duration = (): number => Math.max(0, Math.round(now() - startedAt));
  try {
    await work();
    return { step: { name, ok: true, duration_ms: duration() } };
  } catch (error) {
    const { code, message, seenHostKey } = error instanceof FileStoreError ? error : unexpected();
    const step: TestStep = { name, ok: false, duration_ms: duration(), code, message };
    return { step, ...(seenHostKey !== null && { seenHostKey }) };
  }
}

const unexpected = (): FileStoreError => new FileStoreError('internal', 'The operation failed.');

/**
 * Writes a small file, reads it and deletes it. The first failure of writing and reading ends the test; a file that cannot
 * be deleted is only a warning.
 */
export async function testFileStore(
  store: FileStore,
  prefix: string,
  now: () => number,
): Promise<TestResult> {
  const key = `${prefix === '' ? '' : `${prefix}/`}tenure-test-${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(32);
  const { step: write, ...refused } = await performed('write', now, () => store.put(key, bytes));
  if (!write.ok) return { ok: false, steps: [write], ...refused };
  const { step: read } = await performed('read', now, async () => {
    const stored = await store.get(key, bytes.length);
    if (!stored.equals(bytes)) {
      throw new FileStoreError('store_error', 'The store returned other bytes than it was sent.');
    }
  });
  const { step: remove } = await performed('delete', now, () => store.delete(key));
  return read.ok ? { ok: true, steps: [write, read, remove] } : { ok: false, steps: [write, read] };
}
