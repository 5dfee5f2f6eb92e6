import type { TransferBehavior } from './project.queries.js';

export const behaviorLabels = {
  transfer: {
    label: 'Transfer',
    hint: 'The purchase moves to the customer who restores it; the previous owner loses access.',
  },
  transfer_if_no_active: {
    label: 'Transfer if there is no active subscription',
    hint: 'It moves only if the previous owner has no active subscription. Otherwise the restore is refused.',
  },
  keep: {
    label: 'Keep with the original customer',
    hint: 'It never moves. The restore is refused.',
  },
  share: {
    label: 'Share',
    hint: 'The two customers are merged and share their access.',
  },
} satisfies Record<TransferBehavior, { label: string; hint: string }>;
