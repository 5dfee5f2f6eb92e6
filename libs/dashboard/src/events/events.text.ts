import type { EventDelivery } from './events.queries.js';

export const text = {
  title: 'Events',
  things: 'events',
  empty: 'Everything that happens to customers is recorded here: purchases, renewals, refunds, transfers.',
  follow: 'Follow',
  followHint: 'Looks for new events every 3 seconds.',
  paused: 'Following is paused while you are scrolled down.',
  filters: {
    type: 'Type',
    anyType: 'Any type',
    app: 'App',
    anyApp: 'Any app',
    customer: 'App user id',
    search: 'Filter',
    clear: 'Clear',
  },
  columns: {
    type: 'Type',
    customer: 'Customer',
    app: 'App',
    environment: 'Environment',
    occurred: 'Happened',
    recorded: 'Recorded',
  },
  environments: { production: 'Production', sandbox: 'Sandbox' },
  id: 'Event id',
  deliveries: 'Webhooks',
  noDeliveries: 'No webhook took this event.',
  replayed: 'Replay',
  body: 'JSON',
  noCustomer: 'Deleted',
  statuses: {
    pending: 'Pending',
    delivered: 'Delivered',
    failed: 'Failed',
  } satisfies Record<EventDelivery['delivery']['status'], string>,
};
