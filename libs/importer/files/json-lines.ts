import type { ImportCustomer } from '../customer-item.js';
import type { FileSourceOptions } from './file-source.model.js';
import { linesOf } from './text-file.js';

/** Reads one customer per line, in the format of the import endpoint. */
export async function* jsonCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  for (const file of options.files) {
    for await (const { line, text } of linesOf(file)) {
      if (text.trim() === '') continue;
      const parsed = customerOf(text);
      if (typeof parsed !== 'string') yield parsed;
      else options.onSkipped({ kind: 'row', id: `${file}:${line}`, reason: parsed });
    }
  }
}

function customerOf(text: string): ImportCustomer | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is not valid JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object';
  if (!('id' in value) || typeof value.id !== 'string' || value.id === '') return 'has no id';
  return value as ImportCustomer;
}
