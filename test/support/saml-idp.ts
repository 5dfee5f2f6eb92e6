import {
  type BinaryLike,
  constants,
  createHash,
  createPrivateKey,
  type KeyLike,
  randomBytes,
  sign,
  type SignKeyObjectInput,
} from 'node:crypto';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { certificate, pemOf } from './fake-app-store/certificates.js';

/** A SAML identity provider that says whatever a test wants, and signs it. */
export interface SamlIdp {
  entityId: string;
  ssoUrl: string;
  /** PEM. */
  key: string;
  certificate: string;
}

/** Has an RSA key, or one on `curve`. */
export function samlIdp(host: string, { curve, toMs }: { curve?: string; toMs?: number } = {}): SamlIdp {
  const issuer = certificate({ commonName: `${host} CA`, isCa: true });
  const own = certificate({ commonName: host, issuer, rsa: curve === undefined, curve, toMs });
  return {
    entityId: `https://${host}/saml`,
    ssoUrl: `https://${host}/sso`,
    key: own.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pemOf(own).trim(),
  };
}

export interface ServiceProvider {
  spEntityId: string;
  acsUrl: string;
}

/** Changes of a test to a response; null leaves a part out. */
export interface ResponseParts {
  nowMs: number;
  inResponseTo: string | null;
  /** Value in the subject confirmation; defaults to that of the response. */
  subjectInResponseTo?: string | null;
  issuer?: string;
  /** Null leaves it out. */
  responseIssuer?: string | null;
  destination?: string | null;
  recipient?: string | null;
  audience?: string | null;
  status?: string;
  nameId?: string;
  attributes?: Record<string, string | string[]>;
  /** Milliseconds from now. */
  notBefore?: number | null;
  notOnOrAfter?: number | null;
  subjectNotOnOrAfter?: number | null;
  subjectNotBefore?: number | null;
  method?: string;
  assertionId?: string;
  responseId?: string;
  version?: string;
  /** Inserted as they are. */
  extraConditions?: string;
  extraSubject?: string;
}

const P = 'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"';
const A = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';

export function newSamlId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

function attribute(name: string, value: string | null | undefined): string {
  return value === null || value === undefined ? '' : ` ${name}="${value}"`;
}

export function assertionXml(idp: SamlIdp, sp: ServiceProvider, parts: ResponseParts): string {
  const { nowMs, issuer = idp.entityId, audience = sp.spEntityId, recipient = sp.acsUrl } = parts;
  const { nameId = 'ada@example.com', attributes = {}, assertionId = newSamlId(), version = '2.0' } = parts;
  const { method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer' } = parts;
  const time = (name: string, offset: number | null): string =>
    offset === null ? '' : attribute(name, new Date(nowMs + offset).toISOString());
  const { notBefore = -300_000, notOnOrAfter = 300_000 } = parts;
  const { subjectNotOnOrAfter = notOnOrAfter, subjectNotBefore = null } = parts;
  const inResponseTo =
    parts.subjectInResponseTo === undefined ? parts.inResponseTo : parts.subjectInResponseTo;
  const statements = Object.entries(attributes).map(([name, values]) => {
    const written = [values].flat().map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`);
    return `<saml:Attribute Name="${name}">${written.join('')}</saml:Attribute>`;
  });
  return [
    `<saml:Assertion ${A} ID="${assertionId}" Version="${version}" IssueInstant="${new Date(nowMs).toISOString()}">`,
    `<saml:Issuer>${issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${nameId}</saml:NameID>`,
    `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData`,
    attribute('Recipient', recipient),
    attribute('InResponseTo', inResponseTo),
    time('NotBefore', subjectNotBefore),
    time('NotOnOrAfter', subjectNotOnOrAfter),
    `/></saml:SubjectConfirmation>${parts.extraSubject ?? ''}</saml:Subject>`,
    `<saml:Conditions${time('NotBefore', notBefore)}${time('NotOnOrAfter', notOnOrAfter)}>`,
    audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
    `${parts.extraConditions ?? ''}</saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${new Date(nowMs).toISOString()}"><saml:AuthnContext>`,
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef>',
    '</saml:AuthnContext></saml:AuthnStatement>',
    statements.length > 0 ? `<saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement>` : '',
    '</saml:Assertion>',
  ].join('');
}

export function responseXml(idp: SamlIdp, sp: ServiceProvider, parts: ResponseParts): string {
  const { nowMs, destination = sp.acsUrl, responseIssuer = idp.entityId, responseId = newSamlId() } = parts;
  const { status = 'urn:oasis:names:tc:SAML:2.0:status:Success', version = '2.0' } = parts;
  return [
    `<samlp:Response ${P} ID="${responseId}" Version="${version}" IssueInstant="${new Date(nowMs).toISOString()}"`,
    attribute('Destination', destination),
    attribute('InResponseTo', parts.inResponseTo),
    '>',
    responseIssuer === null ? '' : `<saml:Issuer ${A}>${responseIssuer}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>`,
    assertionXml(idp, sp, parts),
    '</samlp:Response>',
  ].join('');
}

export type SignedElement = 'Response' | 'Assertion';

export interface SignatureOptions {
  signature?: string;
  digest?: string;
  canonicalization?: string;
  transforms?: string[];
}

const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
const PSS = 'http://www.w3.org/2007/05/xmldsig-more#';
export const SHA384 = `${MORE}sha384`;

/** Signs by an algorithm that xml-crypto does not know. */
function signingAlgorithm(uri: string, hash: string, options: Partial<SignKeyObjectInput>) {
  return class implements SignatureAlgorithm {
    getAlgorithmName = () => uri;
    getSignature = (text: BinaryLike, key: KeyLike) =>
      sign(hash, Buffer.from(text as string), { ...options, key: createPrivateKey(key as string) }).toString(
        'base64',
      );
    verifySignature = () => false;
  };
}

const rawEcdsa = { dsaEncoding: 'ieee-p1363' } as const;
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const signingAlgorithms = Object.fromEntries(
  (
    [
      [`${MORE}rsa-sha384`, 'sha384', {}],
      [`${PSS}sha384-rsa-MGF1`, 'sha384', pss],
      [`${PSS}sha512-rsa-MGF1`, 'sha512', pss],
      [`${MORE}ecdsa-sha1`, 'sha1', rawEcdsa],
      [`${MORE}ecdsa-sha256`, 'sha256', rawEcdsa],
      [`${MORE}ecdsa-sha384`, 'sha384', rawEcdsa],
      [`${MORE}ecdsa-sha512`, 'sha512', rawEcdsa],
    ] as const
  ).map(([uri, hash, options]) => [uri, signingAlgorithm(uri, hash, options)]),
);

class Sha384 implements HashAlgorithm {
  getAlgorithmName = () => SHA384;
  getHash = (xml: string) => createHash('sha384').update(xml).digest('base64');
}

const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Signs the first element of that name, as identity providers do. */
export function signXml(
  xml: string,
  { key, certificate: pem }: SamlIdp,
  element: SignedElement,
  options: SignatureOptions = {},
): string {
  const path = `(//*[local-name(.)='${element}'])[1]`;
  const signer = new SignedXml({
    privateKey: key,
    publicCert: pem,
    signatureAlgorithm: options.signature ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: options.canonicalization ?? EXCLUSIVE,
  });
  Object.assign(signer.SignatureAlgorithms, signingAlgorithms);
  Object.assign(signer.HashAlgorithms, { [SHA384]: Sha384 });
  signer.addReference({
    xpath: path,
    transforms: options.transforms ?? [`${XMLDSIG}enveloped-signature`, EXCLUSIVE],
    digestAlgorithm: options.digest ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  const hasIssuer = new RegExp(`${element}[^>]*><saml:Issuer`).test(xml);
  signer.computeSignature(xml, {
    location: hasIssuer
      ? { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' }
      : { reference: path, action: 'prepend' },
  });
  return signer.getSignedXml();
}

/** A response in which everything is right, unless `parts` say otherwise. */
export function signedResponse(
  idp: SamlIdp,
  sp: ServiceProvider,
  parts: ResponseParts,
  signed: SignedElement = 'Assertion',
): string {
  return signXml(responseXml(idp, sp, parts), idp, signed);
}

export function posted(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

export function idpMetadata({ entityId, ssoUrl, certificate: pem }: SamlIdp): string {
  const base64 = pem.replace(/-----[^-]+-----|\s/g, '');
  return (
    `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">` +
    '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">' +
    `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${XMLDSIG}"><ds:X509Data><ds:X509Certificate>${base64}` +
    '</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>' +
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${ssoUrl}/post"/>` +
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/>` +
    '</md:IDPSSODescriptor></md:EntityDescriptor>'
  );
}
