import type { TransferBehavior } from '../../catalog/snapshot/catalog.model.js';
import { decideRedemption, type RedemptionDecision } from './redemption.policy.js';

const behaviors: TransferBehavior[] = ['transfer', 'transfer_if_no_active', 'keep', 'share'];

describe('a redemption', () => {
  it.each(behaviors)('merges both customers if a side is anonymous (%s)', (behavior) => {
    for (const [redeemerIsIdentified, ownerIsIdentified] of [
      [false, false],
      [false, true],
      [true, false],
    ] as const) {
      for (const ownerHasAccess of [true, false]) {
        const redemption = { redeemerIsIdentified, ownerIsIdentified, behavior, ownerHasAccess };
        expect(decideRedemption(redemption)).toBe('alias');
      }
    }
  });

  it.each<[TransferBehavior, boolean, RedemptionDecision]>([
    // behavior, the owner has access through the subscription
    ['transfer', true, 'transfer'],
    ['transfer', false, 'transfer'],
    ['transfer_if_no_active', true, 'refuse'],
    ['transfer_if_no_active', false, 'transfer'],
    ['keep', true, 'refuse'],
    ['keep', false, 'refuse'],
    ['share', true, 'alias'],
    ['share', false, 'alias'],
  ])('decides between two people, %s, access %s: %s', (behavior, ownerHasAccess, decision) => {
    const both = { redeemerIsIdentified: true, ownerIsIdentified: true };
    expect(decideRedemption({ ...both, behavior, ownerHasAccess })).toBe(decision);
  });
});
