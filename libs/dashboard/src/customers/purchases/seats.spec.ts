import type { Subscription } from './purchases.queries.js';
import { seatsOf } from './seats.js';

const seats: Subscription['seats'] = {
  role: 'purchaser',
  quantity: 50,
  revoked: 0,
  next_quantity: 50,
  tiers: [],
  invitations: 'apple',
};

it.each<[string, Partial<NonNullable<Subscription['seats']>> | null, string, [string, string] | null]>([
  ['nothing without seats', null, 'will_renew', null],
  ['the number of seats', {}, 'will_renew', ['Seats', '50']],
  [
    'the seats of the next period',
    { next_quantity: 40 },
    'will_renew',
    ['Seats', '50 (40 at the next renewal)'],
  ],
  ['no next period of a subscription that ends', { next_quantity: 40 }, 'will_not_renew', ['Seats', '50']],
  ['who pays for a member', { role: 'member' }, 'will_renew', ['Seat of a group', 'Paid by someone else']],
])('shows %s', (_, changes, renewal, expected) => {
  const subscription = {
    seats: changes && { ...seats, ...changes },
    auto_renewal_status: renewal as Subscription['auto_renewal_status'],
  };
  expect(seatsOf(subscription)).toEqual(expected);
});
