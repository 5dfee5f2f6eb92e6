import { readFileSync } from 'node:fs';
import { canDo, placeOf } from './store-abilities.js';

interface Operation {
  operationId?: string;
  description?: string;
}

/** The API's description of the stores that support an action. */
function described(operationId: string): string {
  const { paths } = JSON.parse(
    readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8'),
  ) as { paths: Record<string, Record<string, Operation>> };
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((found) => found.operationId === operationId);
  return operation?.description ?? '';
}

const names = { play_store: 'Play Store', test_store: 'Test Store', app_store: 'App Store' };

describe('what stores carry out', () => {
  it.each([
    ['refund', 'refundSubscription'],
    ['cancel', 'cancelSubscription'],
    ['extend', 'extendSubscription'],
  ] as const)('%s is offered where the API has it', (ability, operationId) => {
    const sentence = described(operationId).split('\n')[0] ?? '';
    for (const [store, name] of Object.entries(names)) {
      expect([store, canDo(store, ability)]).toEqual([store, sentence.includes(name)]);
    }
  });

  it('names another place for the others', () => {
    expect(canDo('stripe', 'refund')).toBe(false);
    expect(placeOf('stripe')).toContain('Stripe Dashboard');
    expect(canDo('paddle', 'cancel')).toBe(false);
    expect(placeOf('paddle')).toContain('Paddle dashboard');
    expect(placeOf('unheard_of')).toContain('at the store itself');
  });
});
