import type { Transaction } from './transactions.queries.js';

export const text = {
  title: 'Transactions',
  things: 'transactions',
  empty: 'Every payment and refund is listed here, as the stores report them.',
  customer: 'App user id',
  filter: 'Filter',
  csv: 'Export CSV',
  columns: {
    product: 'Product',
    kind: 'Kind',
    customer: 'Customer',
    store: 'Store',
    price: 'Price',
    revenue: 'Revenue in USD',
    time: 'Time',
  },
  converted: (from: string) => `Converted from ${from}`,
  sandbox: 'Sandbox',
  deleted: 'Deleted',
  kinds: {
    purchase: 'Purchase',
    renewal: 'Renewal',
    trial: 'Trial',
    one_time: 'One-time purchase',
    refund: 'Refund',
    refund_reversal: 'Refund reversed',
    proration: 'Proration',
    correction: 'Correction',
  } satisfies Record<Transaction['kind'], string>,
};
