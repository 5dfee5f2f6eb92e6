import type { Store } from '../../../libs/engine/index.js';

export const stores: readonly Store[] = [
  'amazon',
  'app_store',
  'mac_app_store',
  'paddle',
  'play_store',
  'promotional',
  'rc_billing',
  'roku',
  'stripe',
  'test_store',
];
