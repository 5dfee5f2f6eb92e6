import { affectedBy } from './affected-by.js';

it('says whom required single sign-on meets: neither owners, nor other domains, nor deactivated people', () => {
  const member = (email: string, role: 'owner' | 'member' = 'member', active = true) => ({
    email,
    role,
    active,
  });
  const members = [
    member('owner@example.com', 'owner'),
    member('ada@Example.com'),
    member('grace@example.com'),
    member('gone@example.com', 'member', false),
    member('guest@elsewhere.io'),
    member('early@pending.io'),
  ];
  const domains = [
    { domain: 'example.com', verified: true },
    { domain: 'pending.io', verified: false },
  ];
  expect(affectedBy(members, domains)).toEqual({ required: 2, elsewhere: 2, owners: 1 });
});
