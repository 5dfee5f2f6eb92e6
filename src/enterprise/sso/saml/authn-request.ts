import { deflateRawSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { ASSERTION, EMAIL_FORMAT, POST_BINDING, PROTOCOL } from './saml-names.js';
import { escapeXml } from './xml.js';

export interface AuthnRequest {
  id: string;
  idpSsoUrl: string;
  spEntityId: string;
  acsUrl: string;
  nowMs: number;
}

/** XML names must not start with a digit. */
export function newRequestId(): string {
  return `_${randomBytes(20).toString('hex')}`;
}

/** Requests no authentication context, because some identity providers reject every context other than a password. */
export function authnRequestXml({ id, idpSsoUrl, spEntityId, acsUrl, nowMs }: AuthnRequest): string {
  const attributes = {
    'xmlns:samlp': PROTOCOL,
    'xmlns:saml': ASSERTION,
    ID: id,
    Version: '2.0',
    IssueInstant: new Date(nowMs).toISOString(),
    Destination: idpSsoUrl,
    ProtocolBinding: POST_BINDING,
    AssertionConsumerServiceURL: acsUrl,
  };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  return (
    `<samlp:AuthnRequest${written.join('')}>` +
    `<saml:Issuer>${escapeXml(spEntityId)}</saml:Issuer>` +
    `<samlp:NameIDPolicy Format="${EMAIL_FORMAT}" AllowCreate="true"/>` +
    '</samlp:AuthnRequest>'
  );
}

/** Returns the URL of the HTTP-Redirect binding. Keeps the query of the identity provider's URL. */
export function authnRequestUrl(request: AuthnRequest, relayState: string): string {
  const url = new URL(request.idpSsoUrl);
  const deflated = deflateRawSync(Buffer.from(authnRequestXml(request))).toString('base64');
  url.searchParams.append('SAMLRequest', deflated);
  url.searchParams.append('RelayState', relayState);
  return url.href;
}
