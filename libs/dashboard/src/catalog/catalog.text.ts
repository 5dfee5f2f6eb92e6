/** Texts that the pages of the catalog share. */
export const text = {
  save: 'Save',
  name: 'Name',
  nameMissing: 'Enter a name.',
  lookupKey: 'Lookup key',
  lookupKeyMissing: 'Enter a lookup key.',
  state: 'Show',
  stateColumn: 'State',
  active: 'Active',
  archived: 'Archived',
  created: 'Created',
  actions: 'Actions',
  actionsOf: (name: string) => `Actions for ${name}`,
  none: 'None',
  rename: 'Rename',
  renameNamed: (name: string) => `Rename ${name}`,
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete',
  detach: 'Detach',
  detachNamed: (name: string) => `Detach ${name}`,
  attach: 'Attach',
  changed: (action: Action, name: string) => `${done[action]} ${name}`,
  changeTitle: (action: Action, name: string) => `${verbs[action]} ${name}?`,
  effects: {
    product: {
      archive: 'SDKs stop offering it. Customers who bought it keep what it unlocks. It can be unarchived.',
      unarchive: 'It can be attached and offered again.',
      delete:
        'Its purchases stay on record but no longer unlock anything. It leaves all entitlements and packages. This cannot be undone; to stop offering it without taking access away, archive it.',
    },
    entitlement: {
      archive: 'Customers keep it, but it cannot be attached to more products. It can be unarchived.',
      unarchive: 'It can be attached to products again.',
      delete:
        'All customers lose it, and its grants end as if they were revoked. Purchases stay as they are. This cannot be undone.',
    },
    offering: {
      archive: 'SDKs no longer get it. It can be unarchived.',
      unarchive: 'SDKs get it again. Its products stay as they are: archived ones remain hidden.',
      delete: 'It is deleted with its packages. Products stay. This cannot be undone.',
    },
    currency: {
      archive: 'Purchases no longer credit it and it cannot be adjusted. Balances can still be read.',
      unarchive: 'Purchases credit it again, and it can be adjusted.',
      delete: 'It is deleted with the balances of all customers. This cannot be undone.',
    },
  } satisfies Record<Kind, Record<Action, string>>,
  currentOffering:
    'It is the current offering: SDKs will have no current offering until another is made current.',
  subscriptionsLost: (count: number) =>
    count === 0
      ? 'No subscription gives access through it now.'
      : count === 1
        ? 'One subscription gives access through it now and will no longer do so.'
        : `${count.toLocaleString()} subscriptions give access through it now and will no longer do so.`,
};

export type Action = 'archive' | 'unarchive' | 'delete';
export type Kind = 'product' | 'entitlement' | 'offering' | 'currency';

const verbs: Record<Action, string> = { archive: 'Archive', unarchive: 'Unarchive', delete: 'Delete' };
const done: Record<Action, string> = { archive: 'Archived', unarchive: 'Unarchived', delete: 'Deleted' };
