import type { RefundPolicy } from './policies.queries.js';

export const preferenceLabels = {
  grant_full: 'Ask for a refund',
  grant_prorated: 'Ask for a partial refund',
  decline: 'Ask to decline',
  neutral: 'Leave it to the store',
  do_not_answer: 'Do not answer',
} satisfies Record<RefundPolicy['preference'], string>;

export const storeLabels = {
  app_store: 'App Store',
  play_store: 'Google Play',
} satisfies Record<RefundPolicy['stores'][number], string>;
