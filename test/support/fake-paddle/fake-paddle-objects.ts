import type {
  FakeAdjustment,
  FakeItem,
  FakePaddle,
  FakePaddlePrice,
  FakeTransaction,
  TransactionTerms,
} from './fake-paddle.js';

const MS_PER_DAY = 86_400_000;
/** Paddle's fee: 5 % and 50 cents. */
const feeOf = (total: number): number => (total === 0 ? 0 : Math.round(total * 0.05) + 50);

/** Paddle reports its fee once the payment has been processed. */
export function withFee({ details, status }: FakeTransaction): void {
  const { totals } = details;
  const fee = status === 'completed' ? feeOf(Number(totals.total)) : null;
  totals.fee = fee === null ? null : String(fee);
  totals.earnings = fee === null ? null : String(Number(totals.total) - fee);
}

export function priceObject(
  { id, product, amount, currency, days }: FakePaddlePrice,
  trial = false,
): Record<string, unknown> {
  const cycle = days === 0 ? null : { interval: 'day', frequency: days };
  return {
    id,
    product_id: product,
    type: 'standard',
    name: id,
    description: id,
    tax_mode: 'account_setting',
    billing_cycle: cycle,
    trial_period: trial ? { interval: 'day', frequency: 7 } : null,
    unit_price: { amount: String(amount), currency_code: currency },
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 100 },
    status: 'active',
    custom_data: null,
    import_meta: null,
    created_at: '2026-01-01T00:00:00.000000Z',
    updated_at: '2026-01-01T00:00:00.000000Z',
  };
}

export function productObject(id: string): Record<string, unknown> {
  return {
    id,
    name: id,
    type: 'standard',
    description: null,
    tax_category: 'saas',
    image_url: null,
    custom_data: null,
    status: 'active',
    import_meta: null,
    created_at: '2026-01-01T00:00:00.000000Z',
    updated_at: '2026-01-01T00:00:00.000000Z',
  };
}

interface Totals {
  subtotal: number;
  discount?: number;
  tax?: number;
  credit?: number;
}

function totalsOf(
  { subtotal, discount = 0, tax = 0, credit = 0 }: Totals,
  currency: string,
): FakeTransaction['details']['totals'] & Record<string, string | null> {
  const total = subtotal - discount + tax;
  const used = Math.min(total, credit);
  return {
    subtotal: String(subtotal),
    discount: String(discount),
    tax: String(tax),
    total: String(total),
    grand_total: String(total - used),
    credit: String(used),
    credit_to_balance: String(credit - used),
    balance: '0',
    fee: null,
    earnings: null,
    currency_code: currency,
  };
}

function itemTotals({
  price,
  quantity = 1,
  amount,
  trial,
  discount,
  tax,
  taxIncluded = 0,
}: FakeItem): Totals {
  const whole = amount ?? (trial === true ? 0 : price.amount * quantity);
  return {
    subtotal: whole - taxIncluded,
    ...(discount !== undefined && { discount }),
    tax: (tax ?? 0) + taxIncluded,
  };
}

function detailsOf(
  paddle: FakePaddle,
  { items, credit = 0 }: TransactionTerms,
  currency: string,
): FakeTransaction['details'] & object {
  const each = items.map(itemTotals);
  const sum = (name: 'subtotal' | 'discount' | 'tax'): number =>
    each.reduce((total, one) => total + (one[name] ?? 0), 0);
  const all = { subtotal: sum('subtotal'), discount: sum('discount'), tax: sum('tax'), credit };
  const own = {
    tax_rates_used: [],
    totals: totalsOf(all, currency),
    adjusted_totals: totalsOf(all, currency),
    payout_totals: null,
    adjusted_payout_totals: null,
    line_items: items.map(({ price, quantity = 1, rate }, index) => ({
      id: paddle.newId('txnitm'),
      price_id: price.id,
      quantity,
      totals: totalsOf(each[index] ?? { subtotal: 0 }, currency),
      product: productObject(price.product),
      tax_rate: '0',
      unit_totals: totalsOf(each[index] ?? { subtotal: 0 }, currency),
      proration: rate === undefined ? null : { rate, billing_period: null },
    })),
  };
  return own;
}

export function transactionObject(paddle: FakePaddle, terms: TransactionTerms): FakeTransaction {
  const { items, origin = 'web', status = 'completed', subscriptionId = null, period = null } = terms;
  const currency = items[0]?.price.currency ?? 'USD';
  const isBilled = !['draft', 'ready'].includes(status);
  const transaction: FakeTransaction = {
    id: paddle.newId('txn'),
    status,
    origin,
    customer_id: terms.customerId ?? paddle.newId('ctm'),
    address_id: 'add_01gm302t81w94gyjpjpqypkzkf',
    business_id: null,
    custom_data: terms.customData ?? null,
    currency_code: currency,
    subscription_id: subscriptionId,
    invoice_id: isBilled ? paddle.newId('inv') : null,
    invoice_number: null,
    collection_mode: terms.collection ?? 'automatic',
    discount_id: null,
    billing_details: null,
    billing_period: period && { starts_at: paddle.time(period[0]), ends_at: paddle.time(period[1]) },
    items: items.map(({ price, quantity = 1, trial, rate }) => ({
      price_id: price.id,
      price: priceObject(price, trial),
      quantity,
      proration: rate === undefined ? null : { rate, billing_period: null },
    })),
    details: detailsOf(paddle, terms, currency),
    payments: [],
    checkout: null,
    created_at: paddle.time(),
    updated_at: paddle.time(),
    billed_at: isBilled ? paddle.time() : null,
    revised_at: null,
    address: {
      id: 'add_01gm302t81w94gyjpjpqypkzkf',
      customer_id: 'ctm_01gm302t81w94gyjpjpqypkzkf',
      country_code: 'DE',
      status: 'active',
      description: null,
      first_line: null,
      second_line: null,
      city: null,
      postal_code: null,
      region: null,
      custom_data: null,
      import_meta: null,
      created_at: '2026-01-01T00:00:00.000000Z',
      updated_at: '2026-01-01T00:00:00.000000Z',
    },
    adjustments: [],
  };
  withFee(transaction);
  return transaction;
}

export function adjustmentObject(
  paddle: FakePaddle,
  transaction: FakeTransaction,
  action: string,
  status: string,
  amount?: number,
  line?: number,
): FakeAdjustment {
  const named = line === undefined ? undefined : transaction.details.line_items[line]?.id;
  const total = String(amount ?? transaction.details.totals.total);
  return {
    id: paddle.newId('adj'),
    action,
    type: amount === undefined ? 'full' : 'partial',
    transaction_id: transaction.id,
    subscription_id: transaction.subscription_id,
    customer_id: transaction.customer_id,
    reason: 'error',
    credit_applied_to_balance: false,
    currency_code: transaction.currency_code,
    status,
    items: named === undefined ? [] : [{ item_id: named, type: 'partial', amount: total }],
    totals: {
      subtotal: total,
      tax: '0',
      total,
      fee: '0',
      earnings: total,
      currency_code: transaction.currency_code,
    },
    payout_totals: null,
    tax_rates_used: [],
    created_at: paddle.time(),
    updated_at: paddle.time(),
  };
}

export const daysMs = (days: number): number => days * MS_PER_DAY;
