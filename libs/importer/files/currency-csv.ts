import type { ImportCustomer } from '../customer-item.js';
import { type CsvRow, csvRows, isProblem, valueOf } from './csv-file.js';
import { ExternalSort } from './external-sort.js';
import type { FileSourceOptions } from './file-source.model.js';
import { numberOf, timeOf } from './values.js';

const CUSTOMER = ['rc_original_app_user_id', 'app_user_id', 'customer_id'];
const CODE = [
  'virtual_currency_code',
  'in_app_currency_code',
  'currency_code',
  'vc_code',
  'code',
  'virtual_currency',
];
const BALANCE = [
  'balance_after',
  'running_balance',
  'balance_after_adjustment',
  'new_balance',
  'current_balance',
  'balance',
];
const TIME = [
  'created_at',
  'adjusted_at',
  'occurred_at',
  'event_time',
  'transaction_time',
  'timestamp',
  'updated_at',
];

interface Change {
  code: string;
  balance: number;
  atMs: number | null;
}

/**
 * Reads balances from the in-app currency feed: for each customer and currency, the running balance of the last change.
 */
export async function* currencyCustomers(options: FileSourceOptions): AsyncGenerator<ImportCustomer> {
  const byCustomer = new ExternalSort({
    folder: options.temporaryFolder,
    charactersInMemory: options.charactersInMemory,
  });
  try {
    for (const file of options.files) {
      for await (const row of csvRows(file, { requires: [CUSTOMER, CODE, BALANCE] })) {
        const id = isProblem(row) ? null : valueOf(row, CUSTOMER);
        const parsed = isProblem(row) ? row.problem : id === null ? 'names no customer' : change(row);
        if (typeof parsed !== 'string') await byCustomer.add(id as string, JSON.stringify(parsed));
        else options.onSkipped({ kind: 'row', id: `${file}:${row.line}`, reason: parsed });
      }
    }
    const customers = byCustomer.folded(
      () => new Map<string, Change>(),
      (last, value) => keepLast(last, JSON.parse(value) as Change),
    );
    for await (const [id, last] of customers) {
      const balances = [...last.values()].map(({ code, balance }) => [
        code,
        Math.max(0, Math.trunc(balance)),
      ]);
      yield { id, virtual_currencies: Object.fromEntries(balances) as Record<string, number> };
    }
  } finally {
    await byCustomer.close();
  }
}

function change(row: CsvRow): Change | string {
  const code = valueOf(row, CODE);
  const balance = numberOf(valueOf(row, BALANCE));
  if (code === null) return 'names no currency';
  if (balance === null) return 'has no running balance, or one that is no number';
  return { code, balance, atMs: timeOf(valueOf(row, TIME)) };
}

/** For changes at the same time, or without one, keeps the later row. */
function keepLast(last: Map<string, Change>, next: Change): void {
  const known = last.get(next.code);
  if (!known || (next.atMs ?? 0) >= (known.atMs ?? 0)) last.set(next.code, next);
}
