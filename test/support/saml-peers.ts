import { createRequire } from 'node:module';
import { certificate, pemOf } from './fake-app-store/certificates.js';
import type { ServiceProvider } from './saml-idp.js';

/** Copies of the package's own types, which would bring browser types into every file. */
interface Saml20 {
  createIdPMetadataXML(of: {
    ssoUrl: string;
    entityId: string;
    x509cert: string;
    wantAuthnRequestsSigned: boolean;
  }): string;
  stripCertHeaderAndFooter(certificate: string): string;
  decodeBase64(text: string, isDeflated: boolean): Promise<string>;
  parseSAMLRequest(xml: string, isPost: boolean): Promise<{ id: string; acsUrl: string; audience: string }>;
  createSAMLResponse(of: Record<string, unknown>): Promise<string>;
}

/** What is used of the other one, for the same reason. */
interface Samlify {
  Constants: {
    namespace: { binding: Record<'redirect' | 'post', string>; format: { emailAddress: string } };
    StatusCode: { Success: string };
  };
  SamlLib: {
    defaultLoginResponseTemplate: { context: string };
    replaceTagsByValue(text: string, values: Record<string, string>): string;
  };
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  ServiceProvider(settings: Record<string, unknown>): object;
  IdentityProvider(settings: Record<string, unknown>): {
    getMetadata(): string;
    parseLoginRequest(
      sp: object,
      binding: string,
      request: { query: Record<string, string> },
    ): Promise<{ extract: { request: { id: string } } }>;
    createLoginResponse(
      sp: object,
      request: { extract: object },
      binding: string,
      user: { email: string },
      fill: (text: string) => { id: string; context: string },
    ): Promise<{ context: string }>;
  };
}

const load = createRequire(import.meta.url);
const samlify = load('samlify') as Samlify;
const { default: saml20 } = load('@boxyhq/saml20') as { default: Saml20 };

const keys = { key: '', certificate: '' };

/** Both peers sign with the same key: making one takes time. */
function keyPair(): typeof keys {
  if (keys.key === '') {
    const issuer = certificate({ commonName: 'Peers', isCa: true });
    const own = certificate({ commonName: 'peer.example', issuer, rsa: true });
    keys.key = own.key.export({ type: 'pkcs8', format: 'pem' }).toString();
    keys.certificate = pemOf(own).trim();
  }
  return keys;
}

/** An implementation of an identity provider that is not ours. It lives in the time of the machine. */
export interface SamlPeer {
  name: string;
  metadata(): string;
  /** Reads the request as it comes, and answers it: the form's fields. */
  answer(requestUrl: URL, person: { email: string; name: string }, sp: ServiceProvider): Promise<string>;
}

export const boxyPeer: SamlPeer = {
  name: '@boxyhq/saml20',
  metadata: () =>
    saml20.createIdPMetadataXML({
      entityId: 'https://boxy.example/entity',
      ssoUrl: 'https://boxy.example/sso?app=1',
      x509cert: saml20.stripCertHeaderAndFooter(keyPair().certificate),
      wantAuthnRequestsSigned: false,
    }),
  async answer(requestUrl, { email, name }, sp) {
    const encoded = requestUrl.searchParams.get('SAMLRequest') ?? '';
    const xml = await saml20.decodeBase64(encoded, true);
    const request = await saml20.parseSAMLRequest(xml, false);
    if (request.acsUrl !== sp.acsUrl || request.audience !== sp.spEntityId) {
      throw new Error(`the request is not of the service provider: ${JSON.stringify(request)}`);
    }
    const response = await saml20.createSAMLResponse({
      audience: request.audience,
      issuer: 'https://boxy.example/entity',
      acsUrl: request.acsUrl,
      claims: { email, raw: { email, firstName: name, groups: ['One', 'Two'] } },
      requestId: request.id,
      privateKey: keyPair().key,
      publicKey: keyPair().certificate,
    });
    return Buffer.from(response).toString('base64');
  },
};

const template = samlify.SamlLib.defaultLoginResponseTemplate;

export const samlifyPeer: SamlPeer = {
  name: 'samlify',
  metadata: () => samlifyIdp().getMetadata(),
  async answer(requestUrl, { email, name }, sp) {
    samlify.setSchemaValidator({ validate: () => Promise.resolve('no schema validator is installed') });
    const idp = samlifyIdp();
    const provider = samlify.ServiceProvider({
      entityID: sp.spEntityId,
      assertionConsumerService: [{ Binding: samlify.Constants.namespace.binding.post, Location: sp.acsUrl }],
      wantMessageSigned: true,
    });
    const query = Object.fromEntries(requestUrl.searchParams);
    const { extract } = await idp.parseLoginRequest(provider, 'redirect', { query });
    const { id } = extract.request;
    const now = Date.now();
    const { context } = await idp.createLoginResponse(
      provider,
      { extract },
      'post',
      { email },
      (text: string) => {
        const values = {
          ID: `_r${id}`,
          AssertionID: `_a${id}`,
          Destination: sp.acsUrl,
          Audience: sp.spEntityId,
          SubjectRecipient: sp.acsUrl,
          AssertionConsumerServiceURL: sp.acsUrl,
          NameIDFormat: samlify.Constants.namespace.format.emailAddress,
          NameID: email,
          Issuer: 'https://samlify.example/entity',
          IssueInstant: new Date(now).toISOString(),
          ConditionsNotBefore: new Date(now).toISOString(),
          ConditionsNotOnOrAfter: new Date(now + 300_000).toISOString(),
          SubjectConfirmationDataNotOnOrAfter: new Date(now + 300_000).toISOString(),
          EntityID: sp.spEntityId,
          InResponseTo: id,
          StatusCode: samlify.Constants.StatusCode.Success,
          AuthnStatement: '',
          attrUserEmail: email,
          attrUserName: name,
        };
        return { id: `_r${id}`, context: samlify.SamlLib.replaceTagsByValue(text, values) };
      },
    );
    return context;
  },
};

function samlifyIdp(): ReturnType<Samlify['IdentityProvider']> {
  const { binding, format } = samlify.Constants.namespace;
  return samlify.IdentityProvider({
    entityID: 'https://samlify.example/entity',
    privateKey: keyPair().key,
    signingCert: keyPair().certificate,
    isAssertionEncrypted: false,
    nameIDFormat: [format.emailAddress],
    singleSignOnService: [{ Binding: binding.redirect, Location: 'https://samlify.example/sso' }],
    loginResponseTemplate: {
      context: template.context,
      attributes: [
        {
          name: 'mail',
          valueTag: 'user.email',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
          valueXsiType: 'xs:string',
        },
        {
          name: 'givenName',
          valueTag: 'user.name',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
          valueXsiType: 'xs:string',
        },
      ],
    },
  });
}
