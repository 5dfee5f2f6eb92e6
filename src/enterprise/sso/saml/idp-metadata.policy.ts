import type { Element } from '@xmldom/xmldom';
import { METADATA, REDIRECT_BINDING, XMLDSIG } from './saml-names.js';
import { attributeOf, childrenNamed, isNamed, parseXml, rootOf, textOf, XmlProblem } from './xml.js';

/** The message is appended to the field's name. */
export class MetadataProblem extends Error {}

export interface IdpMetadata {
  entityId: string;
  ssoUrl: string;
  /** Copied from the document; not checked. */
  certificates: string[];
}

const MAX_BYTES = 1_048_576;

/**
 * Reads a connection's settings from an identity provider's metadata. Does not verify a signature: the person who
 * uploads the document is trusted, as they are for fields they enter.
 * @throws MetadataProblem
 */
export function parseIdpMetadata(xml: string): IdpMetadata {
  if (Buffer.byteLength(xml) > MAX_BYTES) throw new MetadataProblem('must be at most 1 MB');
  const role = roleOf(entityOf(xml));
  const redirect = childrenNamed(role.element, METADATA, 'SingleSignOnService').find(
    (service) => attributeOf(service, 'Binding') === REDIRECT_BINDING,
  );
  const ssoUrl = redirect && attributeOf(redirect, 'Location');
  if (!ssoUrl) throw new MetadataProblem('has no single sign-on endpoint with the HTTP-Redirect binding');
  return { entityId: role.entityId, ssoUrl, certificates: signingCertificates(role.element) };
}

function entityOf(xml: string): Element {
  let root: Element;
  try {
    root = rootOf(parseXml(xml));
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error;
    throw new MetadataProblem(`is not accepted: ${error.message}`);
  }
  if (isNamed(root, METADATA, 'EntityDescriptor')) return root;
  if (!isNamed(root, METADATA, 'EntitiesDescriptor')) throw new MetadataProblem('is not SAML 2.0 metadata');
  const [entity, ...more] = childrenNamed(root, METADATA, 'EntityDescriptor');
  const nested = childrenNamed(root, METADATA, 'EntitiesDescriptor');
  if (!entity || more.length > 0 || nested.length > 0) {
    throw new MetadataProblem('must describe one identity provider, not several');
  }
  return entity;
}

function roleOf(entity: Element): { entityId: string; element: Element } {
  const entityId = attributeOf(entity, 'entityID');
  if (!entityId) throw new MetadataProblem('has no entityID');
  const [element] = childrenNamed(entity, METADATA, 'IDPSSODescriptor');
  if (!element) throw new MetadataProblem('does not describe an identity provider');
  return { entityId, element };
}

/** Returns certificates for signing, and those without a declared use. */
function signingCertificates(role: Element): string[] {
  const found = childrenNamed(role, METADATA, 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenNamed(key, XMLDSIG, 'KeyInfo'))
    .flatMap((info) => childrenNamed(info, XMLDSIG, 'X509Data'))
    .flatMap((data) => childrenNamed(data, XMLDSIG, 'X509Certificate'))
    .map((certificate) => textOf(certificate).replace(/\s+/g, ''));
  return [...new Set(found)];
}
