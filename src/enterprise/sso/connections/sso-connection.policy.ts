import { ApiError } from '../../../platform/http/errors/api-error.js';
import { checkCertificate } from '../saml/certificate.policy.js';
import { MetadataProblem, parseIdpMetadata } from '../saml/idp-metadata.policy.js';
import type {
  CreateSsoConnectionDto,
  OidcSettingsInputDto,
  SamlSettingsInputDto,
  UpdateSsoConnectionDto,
} from './sso-connection.dto.js';
import {
  isOidc,
  isSaml,
  type OidcSettings,
  type SamlSettings,
  type SsoConnection,
} from './sso-connection.entity.js';

/** An organization's settings of a connection, without the client secret. */
export type ConnectionSettings = Pick<SsoConnection, 'kind' | 'name' | 'enabled' | 'jit' | 'settings'>;

export interface ConnectionRules {
  /** True on the hosted edition, which requires https. */
  isHosted: boolean;
}

const MAX_CERTIFICATES = 5;
const MAX_ENTITY_ID = 1024;
const DEFAULT_SCOPES = 'openid email profile';

const noSaml: SamlSettings = {
  idpEntityId: null,
  idpSsoUrl: null,
  idpCertificates: [],
  allowIdpInitiated: false,
  emailAttribute: null,
  firstNameAttribute: null,
  lastNameAttribute: null,
  groupsAttribute: null,
};
const noOidc: OidcSettings = {
  issuer: null,
  clientId: null,
  scopes: DEFAULT_SCOPES,
  groupsClaim: null,
  emailClaim: null,
};

/** @throws ApiError 400 naming the field */
export function newConnection(body: CreateSsoConnectionDto, rules: ConnectionRules): ConnectionSettings {
  const { kind } = body;
  if (body[kind] === undefined)
    throw ApiError.parameter(kind, `${kind} is required for connections of kind ${kind}.`);
  const empty = { kind, name: body.name, enabled: false, jit: true };
  const settings = kind === 'saml' ? noSaml : noOidc;
  return connectionAfter({ ...empty, settings }, body, rules);
}

/** Absent fields remain unchanged. @throws ApiError 400 naming the field */
export function connectionAfter(
  present: ConnectionSettings,
  body: UpdateSsoConnectionDto,
  rules: ConnectionRules,
): ConnectionSettings {
  const other = present.kind === 'saml' ? 'oidc' : 'saml';
  if (body[other] !== undefined) {
    throw ApiError.parameter(other, `${other} is only for connections of kind ${other}.`);
  }
  const after = {
    ...present,
    name: body.name ?? present.name,
    enabled: body.enabled ?? present.enabled,
    jit: body.jit ?? present.jit,
    settings: settingsAfter(present as SsoConnection, body, rules),
  };
  if (after.enabled) assertComplete(after as SsoConnection);
  return after;
}

function settingsAfter(
  present: SsoConnection,
  body: UpdateSsoConnectionDto,
  rules: ConnectionRules,
): SamlSettings | OidcSettings {
  if (isSaml(present)) return body.saml ? samlAfter(present.settings, body.saml) : present.settings;
  if (isOidc(present)) return body.oidc ? oidcAfter(present.settings, body.oidc, rules) : present.settings;
  throw new Error('the connection has no kind');
}

function samlAfter(present: SamlSettings, body: SamlSettingsInputDto): SamlSettings {
  const fromMetadata = body.metadata_xml === undefined ? null : metadataFields(body.metadata_xml, body);
  const certificates = body.idp_certificates ?? null;
  const given: Partial<SamlSettings> = {
    ...fromMetadata,
    ...definedOnly({
      idpEntityId: body.idp_entity_id,
      idpSsoUrl: body.idp_sso_url,
      allowIdpInitiated: body.allow_idp_initiated,
      emailAttribute: body.email_attribute,
      firstNameAttribute: body.first_name_attribute,
      lastNameAttribute: body.last_name_attribute,
      groupsAttribute: body.groups_attribute,
    }),
  };
  if (certificates) given.idpCertificates = certificatesOf(certificates, 'saml.idp_certificates');
  if (body.idp_sso_url !== undefined) assertHttps('saml.idp_sso_url', body.idp_sso_url);
  return { ...present, ...given };
}

/** Ignores metadata for fields that are also sent. @throws ApiError 400 */
function metadataFields(
  xml: string,
  body: SamlSettingsInputDto,
): Pick<SamlSettings, 'idpEntityId' | 'idpSsoUrl' | 'idpCertificates'> {
  const param = 'saml.metadata_xml';
  try {
    const { entityId, ssoUrl, certificates } = parseIdpMetadata(xml);
    if (entityId.length > MAX_ENTITY_ID) throw new MetadataProblem('has an entityID that is too long');
    if (body.idp_sso_url === undefined) assertHttps(param, ssoUrl);
    const isReplaced = body.idp_certificates !== undefined;
    if (!isReplaced && certificates.length === 0) throw new MetadataProblem('has no certificate for signing');
    // A provider may also list unsupported keys, as long as it signs with a supported one.
    const known = certificates.filter((text) => typeof checkCertificate(text) !== 'string');
    const chosen = (known.length > 0 ? known : certificates).slice(0, MAX_CERTIFICATES);
    const usable = isReplaced ? [] : certificatesOf(chosen, param);
    return { idpEntityId: entityId, idpSsoUrl: ssoUrl, idpCertificates: usable };
  } catch (error) {
    if (!(error instanceof MetadataProblem)) throw error;
    throw ApiError.parameter(param, `${param} ${error.message}.`);
  }
}

function certificatesOf(texts: readonly string[], param: string): string[] {
  const checked = texts.map((text, index) => {
    const certificate = checkCertificate(text);
    if (typeof certificate === 'string') {
      throw ApiError.parameter(param, `${param}: certificate ${index + 1} ${certificate}.`);
    }
    return certificate.pem;
  });
  return [...new Set(checked)];
}

function oidcAfter(present: OidcSettings, body: OidcSettingsInputDto, rules: ConnectionRules): OidcSettings {
  if (body.issuer !== undefined) {
    assertIssuer('oidc.issuer', body.issuer, rules);
    if (/[?#]/.test(body.issuer)) {
      throw ApiError.parameter('oidc.issuer', 'oidc.issuer must not have a query or a fragment.');
    }
  }
  const scopes = body.scopes?.split(' ');
  return {
    ...present,
    ...definedOnly({
      issuer: body.issuer,
      clientId: body.client_id,
      groupsClaim: body.groups_claim,
      emailClaim: body.email_claim,
      scopes: scopes && [...new Set(['openid', ...scopes])].join(' '),
    }),
  };
}

function definedOnly<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The browser carries sign-ins to this URL. An attacker who could read or change them could sign in. */
function assertHttps(param: string, text: string): void {
  if (urlOf(param, text).protocol !== 'https:') throw httpsNeeded(param);
}

/** Self-hosted servers may call providers in their own network over http. */
function assertIssuer(param: string, text: string, { isHosted }: ConnectionRules): void {
  if (urlOf(param, text).protocol === 'http:' && isHosted) throw httpsNeeded(param);
}

function httpsNeeded(param: string): ApiError {
  return ApiError.parameter(param, `${param} must have an https URL.`);
}

/** @throws ApiError 400 unless it is an absolute URL without credentials */
function urlOf(param: string, text: string): URL {
  // The parser would remove whitespace and add slashes.
  const url = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url && url.username === '' && url.password === '') return url;
  throw ApiError.parameter(
    param,
    `${param} must have an absolute https URL without a user name or password.`,
  );
}

/** Reports settings that are missing before people can sign in. @throws ApiError 400 */
function assertComplete(connection: SsoConnection): void {
  const missing = isSaml(connection)
    ? missingSaml(connection.settings)
    : missingOidc(connection.settings as OidcSettings);
  if (missing !== null) {
    throw ApiError.parameter(missing, `${missing} is required before the connection can be enabled.`);
  }
}

function missingSaml({ idpEntityId, idpSsoUrl, idpCertificates }: SamlSettings): string | null {
  if (idpEntityId === null) return 'saml.idp_entity_id';
  if (idpSsoUrl === null) return 'saml.idp_sso_url';
  return idpCertificates.length === 0 ? 'saml.idp_certificates' : null;
}

function missingOidc({ issuer, clientId }: OidcSettings): string | null {
  if (issuer === null) return 'oidc.issuer';
  return clientId === null ? 'oidc.client_id' : null;
}
