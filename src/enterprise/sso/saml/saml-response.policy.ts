import type { Document, Element } from '@xmldom/xmldom';
import { SsoRefused } from '../shared/sso-reasons.js';
import { ASSERTION, PROTOCOL, SUCCESS, XMLDSIG } from './saml-names.js';
import { assertPlainSignature, signatureOf } from './signature.policy.js';
import { allElements, attributeOf, childrenNamed, isNamed, parseXml, rootOf, XmlProblem } from './xml.js';

/** Typical responses have a few kilobytes; those with a thousand groups have about 150. */
const MAX_BYTES = 262_144;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export interface ResponseForm {
  xml: string;
  responseSigned: boolean;
  /** Signatures of the response, the assertion, or both. */
  signatures: Element[];
  /** Id of the element whose signature covers the assertion: the response if it is signed, else the assertion. */
  signedId: string;
  /** Unsigned unless `responseSigned`. */
  response: ResponseFields;
}

/** Attributes and children of the response, without its assertion. */
export interface ResponseFields {
  issuer: Element | null;
  destination: string | null;
  inResponseTo: string | null;
}

/** @throws SsoRefused */
function decoded(posted: string): string {
  const base64 = posted.replace(/[ \t\r\n]/g, '');
  if (base64 === '' || base64.length > Math.ceil(MAX_BYTES / 3) * 4 || !BASE64.test(base64)) {
    throw new SsoRefused('malformed');
  }
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_BYTES) throw new SsoRefused('malformed');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SsoRefused('malformed');
  }
}

function parsed(xml: string): Document {
  try {
    return parseXml(xml);
  } catch (error) {
    if (error instanceof XmlProblem) throw new SsoRefused('malformed');
    throw error;
  }
}

/** @throws SsoRefused unless the root is a response of SAML 2.0 */
export function assertResponse(root: Element): void {
  if (!isNamed(root, PROTOCOL, 'Response') || attributeOf(root, 'Version') !== '2.0') {
    throw new SsoRefused('malformed');
  }
}

/** @throws SsoRefused unless the identity provider reports success */
export function assertSuccess(response: Element): void {
  const [status, ...more] = childrenNamed(response, PROTOCOL, 'Status');
  const codes = status && more.length === 0 ? childrenNamed(status, PROTOCOL, 'StatusCode') : [];
  const [code] = codes;
  if (!code || codes.length > 1 || attributeOf(code, 'Value') !== SUCCESS) throw new SsoRefused('idp_status');
}

/** @throws SsoRefused unless the response contains exactly one assertion, and it is in the right place */
export function onlyAssertion(document: Document): Element {
  const elements = allElements(document);
  if (elements.some(({ localName }) => /^Encrypted(Assertion|ID|Attribute)$/.test(localName ?? ''))) {
    throw new SsoRefused('encrypted');
  }
  const assertions = elements.filter(({ localName }) => localName === 'Assertion');
  const [assertion] = assertions;
  if (
    !assertion ||
    assertions.length > 1 ||
    assertion.namespaceURI !== ASSERTION ||
    assertion.parentNode !== document.documentElement
  ) {
    throw new SsoRefused('assertion_count');
  }
  if (attributeOf(assertion, 'Version') !== '2.0') throw new SsoRefused('malformed');
  return assertion;
}

export function responseFields(response: Element): ResponseFields {
  const issuers = childrenNamed(response, ASSERTION, 'Issuer');
  if (issuers.length > 1) throw new SsoRefused('issuer');
  return {
    issuer: issuers[0] ?? null,
    destination: attributeOf(response, 'Destination'),
    inResponseTo: attributeOf(response, 'InResponseTo'),
  };
}

function assertUniqueIds(document: Document): void {
  const known = new Set<string>();
  for (const element of allElements(document)) {
    for (const { localName, value } of element.attributes) {
      if (localName?.toLowerCase() !== 'id') continue;
      if (known.has(value)) throw new SsoRefused('signature');
      known.add(value);
    }
  }
}

/**
 * Checks everything that does not need a signature: encoding, XML, status, the single assertion, unique ids, and the
 * form of the signatures. The result is untrusted; it defines what the verification must prove.
 * @throws SsoRefused
 */
export function checkResponseForm(posted: string, allowSha1: boolean): ResponseForm {
  const xml = decoded(posted);
  const document = parsed(xml);
  const response = rootOf(document);
  assertResponse(response);
  assertSuccess(response);
  const assertion = onlyAssertion(document);
  assertUniqueIds(document);

  const signatures = [signatureOf(response), signatureOf(assertion)];
  const present = signatures.filter((signature) => signature !== null);
  const inDocument = allElements(document).filter((element) => isNamed(element, XMLDSIG, 'Signature'));
  // An attacker could choose what a signature in another place signs.
  if (present.length === 0 || inDocument.length !== present.length) throw new SsoRefused('signature');
  for (const signature of present) assertPlainSignature(signature, allowSha1);

  const responseSigned = signatures[0] !== null;
  return {
    xml,
    responseSigned,
    signatures: present,
    signedId: attributeOf(responseSigned ? response : assertion, 'ID') as string,
    response: responseFields(response),
  };
}
