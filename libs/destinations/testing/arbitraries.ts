import fc from 'fast-check';
import type { DestinationEvent, Kind } from '../event.js';
import { eventTypesOfKind } from '../event.js';
import { SAMPLE_AT_MS, sampleEvent } from '../sample-event.js';

const kinds = Object.keys(eventTypesOfKind) as Kind[];
const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme-ascii' }),
  fc.constantFrom('<!channel>', '{{event.id}}', '__proto__', '\u202eabc', 'a\nb'),
);
const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const time = fc.integer({ min: SAMPLE_AT_MS - 1e11, max: SAMPLE_AT_MS + 1e11 });
const cents = fc.integer({ min: -100_000, max: 100_000 }).map((amount) => amount / 100);

/** Any fields that an event of the kind may have. */
const fields = fc.record(
  {
    app_user_id: id,
    product_id: fc.string({ minLength: 1, maxLength: 150, unit: 'grapheme-ascii' }),
    period_type: fc.constantFrom('NORMAL', 'INTRO', 'TRIAL', 'PREPAID', 'PROMOTIONAL'),
    store: fc.constantFrom(
      'APP_STORE',
      'MAC_APP_STORE',
      'PLAY_STORE',
      'AMAZON',
      'STRIPE',
      'ROKU',
      'PROMOTIONAL',
      'TEST_STORE',
    ),
    price: nullable(cents),
    price_in_purchased_currency: nullable(cents),
    currency: nullable(fc.constantFrom('EUR', 'USD', 'JPY')),
    commission_percentage: fc.constantFrom(0, 0.15, 0.3),
    expiration_at_ms: nullable(time),
    offer_code: nullable(id),
    presented_offering_id: nullable(id),
    is_family_share: fc.boolean(),
    aliases: fc.array(id, { maxLength: 5 }),
    entitlement_ids: nullable(fc.array(id, { maxLength: 3 })),
    subscriber_attributes: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.record({ value: nullable(fc.string({ maxLength: 50 })), updated_at_ms: time }),
      { maxKeys: 4 },
    ),
  },
  { requiredKeys: [] },
);

export const anyEvent: fc.Arbitrary<DestinationEvent> = fc
  .tuple(fc.constantFrom(...kinds), fields, fc.uuid({ version: 4 }))
  .map(([kind, own, uuid]) => {
    const event = { ...sampleEvent(kind), id: uuid.toUpperCase() };
    return kind === 'transfer' ? event : { ...event, ...own };
  });
