export type Kind = 'product' | 'entitlement' | 'offering' | 'currency';

export type Action = 'archive' | 'unarchive' | 'delete';

export const actionLabels: Record<Action, string> = {
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete',
};
