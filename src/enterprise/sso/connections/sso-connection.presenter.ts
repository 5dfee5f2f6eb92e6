import { certificateWarnings } from '../saml/certificate.policy.js';
import { oidcRedirectUri, samlAddresses, startUrl } from './sso-addresses.js';
import type {
  OidcSettingsDto,
  SamlSettingsDto,
  ServiceProviderDto,
  SsoConnectionDto,
} from './sso-connection.dto.js';
import {
  isOidc,
  isSaml,
  type OidcConnection,
  type SamlSettings,
  type SsoConnection,
} from './sso-connection.entity.js';

export function presentSsoConnection(
  connection: SsoConnection,
  baseUrl: string,
  nowMs: number,
): SsoConnectionDto {
  return {
    object: 'sso_connection',
    id: connection.id,
    org_id: connection.orgId,
    kind: connection.kind,
    name: connection.name,
    enabled: connection.enabled,
    jit: connection.jit,
    ...(isSaml(connection) ? { saml: presentSaml(connection.settings, nowMs) } : {}),
    ...(isOidc(connection) ? { oidc: presentOidc(connection) } : {}),
    sp: presentServiceProvider(connection, baseUrl),
    created_at: connection.createdAt.getTime(),
    updated_at: connection.updatedAt.getTime(),
  };
}

function presentSaml(settings: SamlSettings, nowMs: number): SamlSettingsDto {
  return {
    idp_entity_id: settings.idpEntityId,
    idp_sso_url: settings.idpSsoUrl,
    idp_certificates: settings.idpCertificates,
    certificate_warnings: certificateWarnings(settings.idpCertificates, nowMs),
    allow_idp_initiated: settings.allowIdpInitiated,
    email_attribute: settings.emailAttribute,
    first_name_attribute: settings.firstNameAttribute,
    last_name_attribute: settings.lastNameAttribute,
    groups_attribute: settings.groupsAttribute,
  };
}

function presentOidc({ settings, sealedClientSecret }: OidcConnection): OidcSettingsDto {
  return {
    issuer: settings.issuer,
    client_id: settings.clientId,
    has_client_secret: sealedClientSecret !== null,
    scopes: settings.scopes,
    groups_claim: settings.groupsClaim,
    email_claim: settings.emailClaim ?? null,
  };
}

function presentServiceProvider({ id, kind }: SsoConnection, baseUrl: string): ServiceProviderDto {
  const start_url = startUrl(baseUrl, id);
  if (kind === 'oidc') return { redirect_uri: oidcRedirectUri(baseUrl, id), start_url };
  const { spEntityId, acsUrl } = samlAddresses(baseUrl, id);
  return { entity_id: spEntityId, metadata_url: spEntityId, acs_url: acsUrl, start_url };
}
