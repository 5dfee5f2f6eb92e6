type Payload = Record<string, unknown>;

const preferences: readonly unknown[] = ['APPROVE', 'DECLINE', 'NEUTRAL'];
const bodyFields = new Set([
  'pendingRefundToken',
  'sampleContentProvided',
  'refundPreference',
  'consumptionPercentageMilliunits',
  'consumptionUsageEvents',
]);
const eventFields = new Set([
  'obfuscatedAccountId',
  'obfuscatedProfileId',
  'consumptionTime',
  'consumptionItemDescription',
  'ipAddress',
  'location',
]);

function unknownField(object: Payload, fields: ReadonlySet<string>): string | undefined {
  return Object.keys(object).find((name) => !fields.has(name));
}

function eventProblem(event: Payload): string | null {
  const extra = unknownField(event, eventFields);
  if (extra !== undefined) return `Unknown name "${extra}".`;
  const { consumptionItemDescription: text = '', location } = event;
  if (typeof text !== 'string' || text.length > 5_000) return 'Invalid consumptionItemDescription.';
  const isPlace = location === undefined || typeof (location as Payload).regionCode === 'string';
  return isPlace ? null : 'Invalid location.';
}

/** What is wrong with an answer to a review of a chargeback by Google's rules; null if nothing. */
export function reviewProblem(body: Payload): string | null {
  const extra = unknownField(body, bodyFields);
  if (extra !== undefined) return `Unknown name "${extra}".`;
  const { consumptionPercentageMilliunits: share = 0, consumptionUsageEvents: events = [] } = body;
  if (typeof body.sampleContentProvided !== 'boolean') return 'Invalid sampleContentProvided.';
  if (!preferences.includes(body.refundPreference)) return 'Invalid refundPreference.';
  const isShare = Number.isInteger(share) && Number(share) >= 0 && Number(share) <= 100_000;
  if (!isShare) return 'Invalid consumptionPercentageMilliunits.';
  if (!Array.isArray(events) || events.length > 1_000) return 'Too many consumptionUsageEvents.';
  return events.map((event) => eventProblem(event as Payload)).find((found) => found !== null) ?? null;
}
