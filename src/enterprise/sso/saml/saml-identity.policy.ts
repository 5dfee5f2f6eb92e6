import { emailOf, groupsOf, looksLikeEmail, nameOf, type SsoIdentity } from '../shared/identity.policy.js';
import type { AcceptedAssertion } from './assertion.policy.js';
import { type AttributeNames, valuesOf } from './saml-attributes.policy.js';

/** Maps attributes and name id to a person. @throws SsoRefused */
export function samlIdentity({ attributes, nameId }: AcceptedAssertion, names: AttributeNames): SsoIdentity {
  const given = valuesOf(attributes, 'email', names);
  // If the organization named an email attribute, do not fall back to the name id.
  const fromNameId = names.email === null && nameId !== null && looksLikeEmail(nameId) ? [nameId] : [];
  return {
    email: emailOf(given.length > 0 ? given : fromNameId),
    name: nameOf(valuesOf(attributes, 'firstName', names)[0], valuesOf(attributes, 'lastName', names)[0]),
    groups: groupsOf(valuesOf(attributes, 'groups', names)),
    subject: null,
    note: null,
  };
}
