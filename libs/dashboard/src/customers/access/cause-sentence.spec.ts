import { readFileSync } from 'node:fs';
import { causeSentence, importSentence, type Explained } from './cause-sentence.js';

type CauseType = Explained['cause']['type'];

const day = (ms: number) => `day ${ms}`;
const explain = (type: CauseType, more: Partial<Explained> = {}) =>
  causeSentence(
    {
      cause: { type, occurred_at: 3 },
      active: false,
      until: null,
      product: 'pro_monthly',
      expirationReason: null,
      ...more,
    },
    day,
  );

describe('the sentence for a cause', () => {
  const document = JSON.parse(
    readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as { components: { schemas: { AccessCause: { enum: CauseType[] } } } };
  const causes = document.components.schemas.AccessCause.enum;

  it.each(causes)('%s says when', (cause) => {
    expect(explain(cause)).toContain('day 3');
    expect(explain(cause)).not.toContain(`${cause} on`);
  });

  it('differs for each cause', () => {
    expect(new Set(causes.map((cause) => explain(cause))).size).toBe(causes.length);
  });

  it.each<[CauseType, Partial<Explained>, string]>([
    ['purchase', { active: true }, 'Bought pro_monthly on day 3.'],
    ['product_change', { active: true }, 'Changed to pro_monthly on day 3.'],
    ['product_change', {}, 'The customer changed on day 3 to a product that does not unlock it.'],
    [
      'grace_period',
      { active: true, until: 6 },
      'The store could not charge the customer on day 3. The grace period lasts until day 6.',
    ],
    ['grant', { active: true, until: 9 }, 'Granted on day 3, until day 9. Free of charge.'],
    [
      'expiry',
      { expirationReason: 'UNSUBSCRIBE' },
      'pro_monthly expired on day 3. The customer had turned off renewal.',
    ],
    ['expiry', { expirationReason: 'UNKNOWN' }, 'pro_monthly expired on day 3.'],
  ])('%s %j', (cause, more, sentence) => {
    expect(explain(cause, more)).toBe(sentence);
  });

  it.each<[[at: number | null, asOf: number | null, needsToken: boolean], string]>([
    [[null, null, false], ''],
    [[5, 5, false], 'Known from the import of day 5.'],
    [[5, 4, false], 'Known from the import of day 5 (state of day 4).'],
    [
      [5, 4, true],
      'Known from the import of day 5 (state of day 4). Waiting for the purchase token, which arrives when the app next starts.',
    ],
  ])('names the import %j', ([imported_at, imported_as_of, needs_token_refresh], sentence) => {
    const origin = { imported_at, imported_as_of, needs_token_refresh };
    expect(importSentence(origin, (ms) => `day ${ms}`)).toBe(sentence);
  });

  it('names a cause that it does not know', () => {
    expect(explain('solar_flare' as CauseType)).toBe('solar_flare on day 3.');
  });
});
