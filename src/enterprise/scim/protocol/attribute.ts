/** Definition of an attribute in a schema (RFC 7643, 7). */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'integer' | 'dateTime' | 'reference' | 'complex' | 'binary';
  description: string;
  multiValued: boolean;
  required: boolean;
  caseExact: boolean;
  mutability: 'readWrite' | 'readOnly' | 'immutable' | 'writeOnly';
  returned: 'default' | 'always' | 'never';
  uniqueness: 'none' | 'server';
  canonicalValues?: string[];
  referenceTypes?: string[];
  subAttributes?: Attribute[];
}

export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: Attribute[];
}

export type Traits = Partial<Omit<Attribute, 'name' | 'description'>>;

export function attribute(name: string, description: string, traits: Traits = {}): Attribute {
  const type = traits.type ?? (traits.subAttributes ? 'complex' : 'string');
  return {
    name,
    description,
    multiValued: false,
    required: false,
    caseExact: type === 'reference' || type === 'binary',
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...traits,
    type,
  };
}

/** A list of typed values, one of which can be primary: addresses, telephone numbers, ... */
export function plural(name: string, description: string, value: Traits, types: string[] = []): Attribute {
  return attribute(name, description, {
    multiValued: true,
    subAttributes: [
      attribute('value', 'The value itself.', value),
      attribute('display', 'A name for people to read.'),
      attribute('type', 'Its use, such as work.', types.length > 0 ? { canonicalValues: types } : {}),
      attribute('primary', 'Whether it is the preferred one; at most one is.', { type: 'boolean' }),
    ],
  });
}

/** Attribute names are case-insensitive (RFC 7643, 2.1). */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | null {
  const wanted = name.toLowerCase();
  return attributes.find((candidate) => candidate.name.toLowerCase() === wanted) ?? null;
}

/** Names with a meaning on every JavaScript object. No attribute uses one. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

export function isUnsafeName(name: string): boolean {
  return UNSAFE.has(name.toLowerCase());
}
