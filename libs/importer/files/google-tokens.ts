import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CsvRow, csvRows, isProblem, valueOf } from './csv-file.js';
import { ExternalSort, type SortLimits } from './external-sort.js';
import { SortedLookup } from './sorted-lookup.js';

export const tokenColumns = {
  token: ['purchase_token', 'token', 'fetch_token', 'google_purchase_token'],
  order: ['order_id', 'orderid', 'store_transaction_id', 'store_subscription_identifier'],
  customer: ['app_user_id', 'rc_original_app_user_id', 'customer_id', 'user_id'],
  product: ['product_id', 'product_identifier', 'google_product_id'],
};

export interface TokenQuery {
  orderId?: string | null;
  customerIds?: string[];
  /** With or without the base plan. */
  productId?: string | null;
}

export interface TokenCounts {
  rows: number;
  used: number;
  unmatched: number;
}

/** Line numbers may be reported; tokens never leave this file. */
interface TokenRow {
  line: number;
  token: string;
}

/** `GPA.1234-5678-9012-34567..3` is a renewal of `GPA.1234-5678-9012-34567`. */
export function baseOrderId(orderId: string): string {
  return orderId.replace(/\.\.\d+$/, '');
}

const ofOrder = (orderId: string) => JSON.stringify(['order', baseOrderId(orderId)]);
/** A Google Play product may be named without its base plan. */
const ofProduct = (customerId: string, productId: string) =>
  JSON.stringify(['product', customerId, productId.split(':', 1)[0]]);

/** Google Play purchase tokens from a CSV file, found by order or by customer and product. */
export class GoogleTokens {
  private readonly usedLines = new Set<number>();
  readonly warnings: string[] = [];

  private constructor(
    private readonly folder: string,
    private readonly lookup: SortedLookup,
    private readonly lines: number[],
  ) {}

  /** @throws FileError if the file cannot be read or has no usable columns */
  static async read(file: string, limits: SortLimits = {}): Promise<GoogleTokens> {
    const folder = await mkdtemp(join(limits.folder ?? tmpdir(), 'tenure-import-'));
    const byKey = new ExternalSort({ ...limits, folder });
    try {
      const warnings: string[] = [];
      const lines: number[] = [];
      const requires = [tokenColumns.token, [...tokenColumns.order, ...tokenColumns.customer]];
      for await (const row of csvRows(file, { requires })) {
        const keys = isProblem(row) ? row.problem : keysOf(row);
        if (typeof keys === 'string') {
          if (warnings.length < 20) warnings.push(`${file}:${row.line} ${keys}`);
          continue;
        }
        const value = JSON.stringify({ line: row.line, token: keys.token } satisfies TokenRow);
        for (const key of keys.keys) await byKey.add(key, value);
        lines.push(row.line);
      }
      const lookup = await SortedLookup.of(join(folder, 'tokens'), byKey.sorted());
      const tokens = new GoogleTokens(folder, lookup, lines);
      tokens.warnings.push(...warnings);
      return tokens;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    } finally {
      await byKey.close();
    }
  }

  /** Returns the token of an order, else the only token of one of the customers for the product. */
  async find({ orderId, customerIds = [], productId }: TokenQuery): Promise<string | null> {
    if (orderId) {
      const rows = await this.rows(ofOrder(orderId));
      const last = rows.at(-1);
      if (last) {
        if (new Set(rows.map(({ token }) => token)).size > 1) this.warnOnce(rows);
        return this.use(rows, last);
      }
    }
    if (!productId) return null;
    const found = await Promise.all(customerIds.map((id) => this.rows(ofProduct(id, productId))));
    const rows = found.flat();
    const last = rows.at(-1);
    if (!last || new Set(rows.map(({ token }) => token)).size > 1) return null;
    return this.use(rows, last);
  }

  counts(): TokenCounts {
    const used = this.usedLines.size;
    return { rows: this.lines.length, used, unmatched: this.lines.length - used };
  }

  async close(): Promise<void> {
    await this.lookup.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async rows(key: string): Promise<TokenRow[]> {
    return (await this.lookup.values(key)).map((value) => JSON.parse(value) as TokenRow);
  }

  private use(rows: TokenRow[], chosen: TokenRow): string {
    for (const { line } of rows) this.usedLines.add(line);
    return chosen.token;
  }

  private warnOnce(rows: TokenRow[]): void {
    const lines = rows.map(({ line }) => line);
    const warning = `Lines ${lines.join(', ')} have different tokens for one order: the last one is used.`;
    if (this.warnings.length < 20 && !this.warnings.includes(warning)) this.warnings.push(warning);
  }
}

function keysOf(row: CsvRow): { token: string; keys: string[] } | string {
  const token = valueOf(row, tokenColumns.token);
  if (token === null) return 'has no purchase token';
  const order = valueOf(row, tokenColumns.order);
  const customer = valueOf(row, tokenColumns.customer);
  const product = valueOf(row, tokenColumns.product);
  const keys = [
    ...(order === null ? [] : [ofOrder(order)]),
    ...(customer === null || product === null ? [] : [ofProduct(customer, product)]),
  ];
  return keys.length > 0 ? { token, keys } : 'has neither an order, nor a customer and a product';
}
