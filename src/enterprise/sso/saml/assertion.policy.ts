import type { Element } from '@xmldom/xmldom';
import { SsoRefused } from '../shared/sso-reasons.js';
import { attributesOf, type SamlAttributes } from './saml-attributes.policy.js';
import { ASSERTION, BEARER } from './saml-names.js';
import {
  assertResponse,
  assertSuccess,
  onlyAssertion,
  type ResponseFields,
  type ResponseForm,
  responseFields,
} from './saml-response.policy.js';
import {
  attributeOf,
  childElements,
  childrenNamed,
  isNamed,
  parseXml,
  rootOf,
  textOf,
  XmlProblem,
} from './xml.js';

const LEEWAY_MS = 60_000;
const KNOWN_CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Values that the response must match. */
export interface ExpectedResponse {
  idpEntityId: string;
  spEntityId: string;
  acsUrl: string;
}

export interface AcceptedAssertion {
  id: string;
  /** Null if the identity provider started the sign-in. */
  inResponseTo: string | null;
  /** The assertion could be presented again until this time. */
  notOnOrAfterMs: number;
  nameId: string | null;
  attributes: SamlAttributes;
}

interface SignedParts {
  response: ResponseFields;
  assertion: Element;
}

/** Reads only the signed text, apart from a response around a signed assertion. @throws SsoRefused */
function signedParts(signedXml: string, form: ResponseForm): SignedParts {
  try {
    const document = parseXml(signedXml);
    const root = rootOf(document);
    if (attributeOf(root, 'ID') !== form.signedId) throw new SsoRefused('signature');
    if (form.responseSigned) {
      assertResponse(root);
      assertSuccess(root);
      return { response: responseFields(root), assertion: onlyAssertion(document) };
    }
    if (!isNamed(root, ASSERTION, 'Assertion')) throw new SsoRefused('signature');
    return { response: form.response, assertion: root };
  } catch (error) {
    if (error instanceof XmlProblem) throw new SsoRefused('signature');
    throw error;
  }
}

/**
 * Checks issuer, destination, subject confirmation, conditions and the consistency of `InResponseTo`.
 * @throws SsoRefused
 */
export function checkAssertion(
  signedXml: string,
  form: ResponseForm,
  expected: ExpectedResponse,
  nowMs: number,
): AcceptedAssertion {
  const { response, assertion } = signedParts(signedXml, form);
  const [issuer, ...moreIssuers] = childrenNamed(assertion, ASSERTION, 'Issuer');
  if (!issuer || moreIssuers.length > 0 || textOf(issuer) !== expected.idpEntityId)
    throw new SsoRefused('issuer');
  if (response.issuer && textOf(response.issuer) !== expected.idpEntityId) throw new SsoRefused('issuer');

  if (response.destination === null ? form.responseSigned : response.destination !== expected.acsUrl) {
    throw new SsoRefused('destination');
  }

  const subject = only(assertion, 'Subject', 'recipient');
  const confirmation = bearerOf(subject, expected.acsUrl, nowMs);
  const conditionsEnd = checkConditions(assertion, expected.spEntityId, nowMs);

  // Must be equal or absent on both, because the response alone may be unsigned.
  if (confirmation.inResponseTo !== response.inResponseTo) throw new SsoRefused('in_response_to');

  const id = attributeOf(assertion, 'ID');
  if (!id) throw new SsoRefused('malformed');
  const nameIds = childrenNamed(subject, ASSERTION, 'NameID');
  return {
    id,
    inResponseTo: confirmation.inResponseTo,
    notOnOrAfterMs: Math.min(confirmation.notOnOrAfterMs, conditionsEnd),
    nameId: nameIds.length === 1 && nameIds[0] ? textOf(nameIds[0]) : null,
    attributes: attributesOf(assertion),
  };
}

function only(parent: Element, localName: string, reason: 'recipient' | 'audience'): Element {
  const [found, ...more] = childrenNamed(parent, ASSERTION, localName);
  if (!found || more.length > 0) throw new SsoRefused(reason);
  return found;
}

function bearerOf(
  subject: Element,
  acsUrl: string,
  nowMs: number,
): { inResponseTo: string | null; notOnOrAfterMs: number } {
  const [bearer, ...more] = childrenNamed(subject, ASSERTION, 'SubjectConfirmation').filter(
    (confirmation) => attributeOf(confirmation, 'Method') === BEARER,
  );
  if (!bearer || more.length > 0) throw new SsoRefused('recipient');
  const data = only(bearer, 'SubjectConfirmationData', 'recipient');
  if (attributeOf(data, 'Recipient') !== acsUrl) throw new SsoRefused('recipient');
  const end = timeOf(data, 'NotOnOrAfter');
  if (end === null || end + LEEWAY_MS <= nowMs) throw new SsoRefused('expired');
  const start = timeOf(data, 'NotBefore');
  if (start !== null && start - LEEWAY_MS > nowMs) throw new SsoRefused('not_yet_valid');
  return { inResponseTo: attributeOf(data, 'InResponseTo'), notOnOrAfterMs: end };
}

/** Returns the end of the conditions, or infinity. */
function checkConditions(assertion: Element, spEntityId: string, nowMs: number): number {
  const conditions = only(assertion, 'Conditions', 'audience');
  const end = timeOf(conditions, 'NotOnOrAfter');
  if (end !== null && end + LEEWAY_MS <= nowMs) throw new SsoRefused('expired');
  const start = timeOf(conditions, 'NotBefore');
  if (start !== null && start - LEEWAY_MS > nowMs) throw new SsoRefused('not_yet_valid');

  const restrictions = childrenNamed(conditions, ASSERTION, 'AudienceRestriction');
  // Every restriction must hold. Any of its audiences satisfies it.
  const isMet = restrictions.every((restriction) =>
    childrenNamed(restriction, ASSERTION, 'Audience').some((audience) => textOf(audience) === spEntityId),
  );
  if (restrictions.length === 0 || !isMet) throw new SsoRefused('audience');
  // SAML core, 2.5.1.1: an assertion with an unknown condition is not valid.
  const isKnown = ({ namespaceURI, localName }: Element): boolean =>
    namespaceURI === ASSERTION && KNOWN_CONDITIONS.includes(localName ?? '');
  if (!childElements(conditions).every(isKnown)) throw new SsoRefused('audience');
  return end ?? Infinity;
}

/** Returns null if absent. Times without a zone are UTC (SAML core, 1.3.3). @throws SsoRefused for an invalid time */
function timeOf(element: Element, name: string): number | null {
  const text = attributeOf(element, name);
  if (text === null) return null;
  const ms = TIME.test(text) ? Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`) : NaN;
  if (Number.isNaN(ms)) throw new SsoRefused('malformed');
  return ms;
}
