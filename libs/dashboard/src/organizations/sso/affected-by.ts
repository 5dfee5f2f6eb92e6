import type { OrganizationMember, SsoDomain } from '../../api/enterprise.types.js';

type Person = Pick<OrganizationMember, 'email' | 'role' | 'active'>;

/** Returns the people who would need single sign-on: active members on verified domains, except owners. */
export function affectedBy(
  members: readonly Person[],
  domains: readonly Pick<SsoDomain, 'domain' | 'verified'>[],
) {
  const verified = new Set(domains.filter((domain) => domain.verified).map(({ domain }) => domain));
  const active = members.filter((member) => member.active);
  const others = active.filter(({ role }) => role !== 'owner');
  const isOn = ({ email }: Person) => verified.has(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
  const required = others.filter(isOn).length;
  return { required, elsewhere: others.length - required, owners: active.length - others.length };
}
