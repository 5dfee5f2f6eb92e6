import type { FrozenCustomer } from './definition.js';
import type { DestinationEvent } from './event.js';

const platformByStore: ReadonlyMap<string, string> = new Map([
  ['APP_STORE', 'iOS'],
  ['MAC_APP_STORE', 'macOS'],
  ['PLAY_STORE', 'Android'],
  ['AMAZON', 'Android'],
  ['ROKU', 'Roku'],
  ['STRIPE', 'Web'],
  ['PADDLE', 'Web'],
  ['RC_BILLING', 'Web'],
]);

/** The platform of the store; undefined for grants and the Test Store. */
export function platformOf({ store }: DestinationEvent): string | undefined {
  return platformByStore.get(store ?? '');
}

export type MobilePlatform = 'ios' | 'android';

const mobileByName: ReadonlyMap<string, MobilePlatform> = new Map([
  ['ios', 'ios'],
  ['macos', 'ios'],
  ['android', 'android'],
  ['amazon', 'android'],
]);

/**
 * The platform whose app an attribution tool gets the event for; null if none is set up. Purchases outside the two
 * mobile stores count for the only app that is set up, or else for the device that the customer used last.
 */
export function mobilePlatform(
  event: DestinationEvent,
  { platform }: Pick<FrozenCustomer, 'platform'>,
  isSetUp: Record<MobilePlatform, boolean>,
): MobilePlatform | null {
  const ofStore = mobileByName.get(platformOf(event)?.toLowerCase() ?? '');
  if (ofStore) return isSetUp[ofStore] ? ofStore : null;
  if (isSetUp.ios !== isSetUp.android) return isSetUp.ios ? 'ios' : 'android';
  const lastSeen = mobileByName.get(platform?.toLowerCase() ?? '');
  return lastSeen && isSetUp[lastSeen] ? lastSeen : null;
}
