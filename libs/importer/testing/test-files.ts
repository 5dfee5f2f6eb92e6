import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../engine/index.js';
import type { ImportCustomer } from '../customer-item.js';
import { customersInFiles, type FileKind } from '../files/file-source.js';
import type { FileSourceOptions, Skipped } from '../files/file-source.model.js';

/** A folder of files for a spec. */
export class TestFiles {
  private folder = '';
  private count = 0;

  async open(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'tenure-files-'));
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  get path(): string {
    return this.folder;
  }

  async write(content: string | Uint8Array): Promise<string> {
    const file = join(this.folder, `file-${++this.count}`);
    await writeFile(file, content);
    return file;
  }
}

export const appIdOf = (store: Store): string | null => `app_${store}`;

export async function imported(
  kind: FileKind,
  files: string[],
  options: Partial<FileSourceOptions> = {},
): Promise<{ customers: ImportCustomer[]; skipped: Skipped[] }> {
  const skipped: Skipped[] = [];
  const customers: ImportCustomer[] = [];
  const all = { files, appIdOf, nowMs: 0, onSkipped: (each: Skipped) => void skipped.push(each), ...options };
  for await (const customer of customersInFiles(kind, all)) {
    // Drops undefined fields, as sending does.
    customers.push(JSON.parse(JSON.stringify(customer)) as ImportCustomer);
  }
  return { customers, skipped };
}

/** Formats rows as CSV with every field in quotes. */
export function csv(rows: Record<string, string>[], separator = ','): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => names.map((name) => quoted(row[name] ?? '')).join(separator));
  return `${[names.join(separator), ...lines].join('\n')}\n`;
}
