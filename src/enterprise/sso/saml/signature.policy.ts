import type { Element } from '@xmldom/xmldom';
import { SsoRefused } from '../shared/sso-reasons.js';
import { XMLDSIG } from './saml-names.js';
import { isDigestAlgorithm, isSignatureAlgorithm } from './signature-algorithms.js';
import { attributeOf, childElements, childrenNamed, hasComment, isNamed } from './xml.js';

const ENVELOPED = `${XMLDSIG}enveloped-signature`;
const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
function refuse(): never {
  throw new SsoRefused('signature');
}

/** Returns the only child with this name. */
function only(parent: Element, localName: string): Element {
  const [found, ...more] = childrenNamed(parent, XMLDSIG, localName);
  return found && more.length === 0 ? found : refuse();
}

function algorithmOf(element: Element): string {
  return attributeOf(element, 'Algorithm') ?? refuse();
}

/** Returns the element's own signature, or null. @throws SsoRefused if there are several */
export function signatureOf(element: Element): Element | null {
  const [signature, ...more] = childrenNamed(element, XMLDSIG, 'Signature');
  if (more.length > 0) refuse();
  return signature ?? null;
}

/**
 * Accepts the one form that identity providers use: an enveloped signature over exactly its parent element. Other forms
 * enable attacks: several references, transforms that drop content, objects inside the signature. Does not verify the
 * signature.
 * @throws SsoRefused
 */
export function assertPlainSignature(signature: Element, allowSha1: boolean): void {
  const signed = signature.parentNode as Element;
  const id = attributeOf(signed, 'ID');
  if (!id || !/^[\w.-]+$/.test(id)) refuse();
  if (hasComment(signature)) refuse();

  const parts = childElements(signature).map((child) =>
    child.namespaceURI === XMLDSIG ? child.localName : '',
  );
  const form = parts.join(' ');
  if (form !== 'SignedInfo SignatureValue' && form !== 'SignedInfo SignatureValue KeyInfo') refuse();

  const signedInfo = only(signature, 'SignedInfo');
  const infoForm = childElements(signedInfo).map((child) => child.localName);
  if (infoForm.join(' ') !== 'CanonicalizationMethod SignatureMethod Reference') refuse();
  if (algorithmOf(only(signedInfo, 'CanonicalizationMethod')) !== EXCLUSIVE_C14N) refuse();
  const method = algorithmOf(only(signedInfo, 'SignatureMethod'));
  if (!isSignatureAlgorithm(method, allowSha1)) refuse();

  const reference = only(signedInfo, 'Reference');
  if (attributeOf(reference, 'URI') !== `#${id}`) refuse();
  const referenceForm = childElements(reference).map((child) => child.localName);
  if (referenceForm.join(' ') !== 'Transforms DigestMethod DigestValue') refuse();
  const digest = algorithmOf(only(reference, 'DigestMethod'));
  if (!isDigestAlgorithm(digest, allowSha1)) refuse();
  assertTransforms(only(reference, 'Transforms'));
}

function assertTransforms(transforms: Element): void {
  const list = childElements(transforms);
  const algorithms = list.map((transform) =>
    isNamed(transform, XMLDSIG, 'Transform') ? algorithmOf(transform) : refuse(),
  );
  if (algorithms.join(' ') !== `${ENVELOPED} ${EXCLUSIVE_C14N}`) refuse();
  // Only InclusiveNamespaces is allowed, which lists prefixes that the canonical form preserves.
  for (const part of list.flatMap(childElements)) {
    if (!isNamed(part, EXCLUSIVE_C14N, 'InclusiveNamespaces')) refuse();
  }
}
