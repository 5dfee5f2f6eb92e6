import { emailOf, groupsOf, looksLikeEmail, nameOf, type SsoIdentity } from '../shared/identity.policy.js';
import type { AcceptedAssertion } from './assertion.policy.js';
import { type AttributeNames, valuesOf } from './saml-attributes.policy.js';

/** Row 14 of the checks. @throws SsoRefused */
export function samlIdentity({ attributes, nameId }: AcceptedAssertion, names: AttributeNames): SsoIdentity {
  const given = valuesOf(attributes, 'email', names);
  // An organization that named the attribute wants that one, and no other.
  const fromNameId = names.email === null && nameId !== null && looksLikeEmail(nameId) ? [nameId] : [];
  return {
    email: emailOf(given.length > 0 ? given : fromNameId),
    name: nameOf(valuesOf(attributes, 'firstName', names)[0], valuesOf(attributes, 'lastName', names)[0]),
    groups: groupsOf(valuesOf(attributes, 'groups', names)),
    subject: null,
    note: null,
  };
}
