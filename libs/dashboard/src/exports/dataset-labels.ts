const labels: Partial<Record<string, { label: string; hint: string }>> = {
  transactions: { label: 'Transactions', hint: 'Each billing period, one-time purchase and grant.' },
  customers: { label: 'Customers', hint: 'Each customer, with attributes and aliases.' },
  subscriptions: {
    label: 'Subscriptions',
    hint: 'Each subscription or one-time purchase, with its current state.',
  },
  events: { label: 'Events', hint: 'Each recorded event, with the body sent to webhooks.' },
  ledger: { label: 'Ledger', hint: 'Each entry of charged and refunded money.' },
  deletions: { label: 'Deletions', hint: 'Keys of rows that no longer exist.' },
};

/** A newer server may have other data sets. */
export const datasetLabel = (name: string): string => labels[name]?.label ?? name;

export const datasetHint = (name: string): string | undefined => labels[name]?.hint;
