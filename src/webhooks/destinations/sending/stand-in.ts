import type { DestinationType } from '../../../../libs/destinations/index.js';

const POSTHOG_CLOUD = ['us.i.posthog.com', 'eu.i.posthog.com'];

/** True if the request goes to a host of the tool itself, not to an address that a person entered. */
function isToolHost(type: DestinationType, { hostname }: URL): boolean {
  if (type === 'http') return false;
  return type !== 'posthog' || POSTHOG_CLOUD.includes(hostname);
}

/** The address that takes the place of a tool's own in tests; null if the request goes to the address itself. */
export function standInAddress(
  standIn: string | null,
  type: DestinationType,
  address: string,
): string | null {
  if (standIn === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  return isToolHost(type, url) ? `${standIn}/${type}${url.pathname}${url.search}` : null;
}
