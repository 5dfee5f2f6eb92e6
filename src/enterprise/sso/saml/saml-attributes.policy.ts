import type { Element } from '@xmldom/xmldom';
import { ASSERTION } from './saml-names.js';
import { attributeOf, childrenNamed, textOf } from './xml.js';

/** Values by lower-case attribute name. */
export type SamlAttributes = ReadonlyMap<string, readonly string[]>;

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';

const automatic = {
  email: ['email', 'mail', 'emailaddress', `${CLAIMS}emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'],
  firstName: ['givenname', 'firstname', 'first_name', 'urn:oid:2.5.4.42', `${CLAIMS}givenname`],
  lastName: ['surname', 'sn', 'lastname', 'last_name', 'urn:oid:2.5.4.4', `${CLAIMS}surname`],
  groups: ['groups', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'],
} as const;

/** Attribute names that the organization configured; null means the usual names. */
export interface AttributeNames {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  groups: string | null;
}

export function attributesOf(assertion: Element): SamlAttributes {
  const attributes = new Map<string, string[]>();
  for (const statement of childrenNamed(assertion, ASSERTION, 'AttributeStatement')) {
    for (const attribute of childrenNamed(statement, ASSERTION, 'Attribute')) {
      const name = attributeOf(attribute, 'Name')?.toLowerCase();
      if (name === undefined) continue;
      const values = childrenNamed(attribute, ASSERTION, 'AttributeValue').map(textOf);
      attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
    }
  }
  return attributes;
}

/** Returns the values of the first attribute that has any. */
export function valuesOf(
  attributes: SamlAttributes,
  field: keyof AttributeNames,
  names: AttributeNames,
): readonly string[] {
  const configured = names[field];
  const candidates = configured === null ? automatic[field] : [configured.toLowerCase()];
  for (const name of candidates) {
    const values = attributes.get(name)?.filter((value) => value !== '') ?? [];
    if (values.length > 0) return values;
  }
  return [];
}
