import {
  decideIdentify,
  decideOwnership,
  type IdentifyDecision,
  type OwnershipDecision,
  type TransferBehavior,
} from './index.js';

describe('a purchase of another customer', () => {
  const behaviors: TransferBehavior[] = ['transfer', 'transfer_if_no_active', 'keep', 'share'];

  it.each(behaviors)('merges an anonymous owner into the new customer (%s)', (behavior) => {
    for (const isRestore of [true, false]) {
      for (const ownerHasActiveSubscription of [true, false]) {
        const posted = { behavior, isRestore, ownerHasActiveSubscription, ownerIsIdentified: false };
        expect(decideOwnership(posted)).toBe('merge');
      }
    }
  });

  it.each<[TransferBehavior, boolean, boolean, OwnershipDecision]>([
    // behaviour, restore, owner has an active subscription among the posted ones
    ['transfer', true, true, 'move'],
    ['transfer', false, false, 'move'],
    ['transfer_if_no_active', true, true, 'refuse'],
    ['transfer_if_no_active', true, false, 'move'],
    ['transfer_if_no_active', false, true, 'refuse'],
    ['keep', true, false, 'refuse'],
    ['keep', false, true, 'refuse'],
    ['share', true, true, 'merge'],
    ['share', true, false, 'merge'],
    ['share', false, true, 'refuse'],
    ['share', false, false, 'refuse'],
  ])('%s, restore %s, active %s: %s', (behavior, isRestore, ownerHasActiveSubscription, decision) => {
    const posted = { behavior, isRestore, ownerHasActiveSubscription, ownerIsIdentified: true };
    expect(decideOwnership(posted)).toBe(decision);
  });
});

describe('signing in', () => {
  it.each<[boolean, boolean, boolean, IdentifyDecision]>([
    // current id is anonymous, new id exists, its customer already has an anonymous id
    [true, false, false, 'add_alias'],
    [true, true, false, 'merge'],
    [true, true, true, 'switch'],
    [false, false, false, 'create'],
    [false, true, false, 'switch'],
    [false, true, true, 'switch'],
  ])(
    'anonymous %s, known %s, has an anonymous id %s: %s',
    (currentIsAnonymous, newIdExists, hasAnonymous, decision) => {
      const signIn = {
        sameCustomer: false,
        currentIsAnonymous,
        newIdExists,
        newCustomerHasAnonymousAlias: hasAnonymous,
      };
      expect(decideIdentify(signIn)).toBe(decision);
      expect(decideIdentify({ ...signIn, sameCustomer: true })).toBe('nothing');
    },
  );
});
