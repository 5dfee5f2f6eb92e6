import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { CreateAuthProviderDto, UpdateAuthProviderDto } from './auth-provider.dto.js';
import type { AuthProvider, ProviderKind } from './auth-provider.entity.js';

/** A project's settings of a provider. */
export type ProviderSettings = Omit<AuthProvider, 'projectId' | 'id' | 'createdAt' | 'updatedAt'>;

type Issuing = Pick<ProviderSettings, 'issuer' | 'audiences' | 'firebaseProjectId' | 'jwksUrl'>;

const MAX_NAME = 100;
const RESERVED_PREFIX = '$RCAnonymousID';

/** @throws ApiError 400 naming the field */
export function newProviderSettings(body: CreateAuthProviderDto, isHosted: boolean): ProviderSettings {
  const { kind } = body;
  const issuing = kind === 'firebase' ? firebaseFields(body) : oidcFields(body, null);
  const unnamed = { kind, name: '', ...issuing, appUserIdClaim: 'sub', appUserIdPrefix: '', enabled: true };
  const name = body.name ?? defaultName(kind, issuing);
  return withUrlsChecked(withCommonFields(unnamed, { ...body, name }), isHosted);
}

/** Absent fields do not change. @throws ApiError 400 naming the field */
export function providerSettingsAfter(
  present: ProviderSettings,
  body: UpdateAuthProviderDto,
  isHosted: boolean,
): ProviderSettings {
  const issuing =
    present.kind === 'firebase'
      ? firebaseFields({
          ...body,
          firebase_project_id: body.firebase_project_id ?? present.firebaseProjectId,
        })
      : oidcFields(body, present);
  return withUrlsChecked(withCommonFields({ ...present, ...issuing }, body), isHosted);
}

/** Whether the source of the keys changes and must be checked. */
export function changesKeySource(before: ProviderSettings | null, after: ProviderSettings): boolean {
  if (after.kind === 'firebase') return false;
  return before?.jwksUrl !== after.jwksUrl || (after.jwksUrl === null && before.issuer !== after.issuer);
}

/** Accepts fields that follow from the project id, because some clients send back what they read. */
function firebaseFields(body: UpdateAuthProviderDto): Issuing {
  const id = body.firebase_project_id ?? null;
  if (id === null)
    throw ApiError.parameter('firebase_project_id', 'firebase_project_id is required for firebase.');
  const issuer = `https://securetoken.google.com/${id}`;
  if (body.issuer !== undefined && body.issuer !== issuer) throw onlyFor('issuer', 'oidc');
  if (body.audiences !== undefined && body.audiences.join(' ') !== id) throw onlyFor('audiences', 'oidc');
  if (body.jwks_url !== undefined && body.jwks_url !== null) throw onlyFor('jwks_url', 'oidc');
  return { issuer, audiences: [id], firebaseProjectId: id, jwksUrl: null };
}

function oidcFields(body: UpdateAuthProviderDto, present: Issuing | null): Issuing {
  if (body.firebase_project_id !== undefined && body.firebase_project_id !== null) {
    throw onlyFor('firebase_project_id', 'firebase');
  }
  const issuer = body.issuer ?? present?.issuer;
  const audiences = body.audiences ?? present?.audiences;
  if (issuer === undefined) throw ApiError.parameter('issuer', 'issuer is required for oidc.');
  if (audiences === undefined) throw ApiError.parameter('audiences', 'audiences is required for oidc.');
  const jwksUrl = body.jwks_url === undefined ? (present?.jwksUrl ?? null) : body.jwks_url;
  return { issuer, audiences, firebaseProjectId: null, jwksUrl };
}

function withCommonFields(present: ProviderSettings, body: UpdateAuthProviderDto): ProviderSettings {
  const prefix = body.app_user_id_prefix ?? present.appUserIdPrefix;
  if (prefix.startsWith(RESERVED_PREFIX)) {
    throw ApiError.parameter(
      'app_user_id_prefix',
      `app_user_id_prefix must not start with ${RESERVED_PREFIX}.`,
    );
  }
  if (prefix.includes('/')) {
    throw ApiError.parameter('app_user_id_prefix', 'app_user_id_prefix must not contain a slash.');
  }
  return {
    ...present,
    name: body.name ?? present.name,
    appUserIdClaim: body.app_user_id_claim ?? present.appUserIdClaim,
    appUserIdPrefix: prefix,
    enabled: body.enabled ?? present.enabled,
  };
}

function withUrlsChecked(settings: ProviderSettings, isHosted: boolean): ProviderSettings {
  assertUrl('issuer', settings.issuer, isHosted);
  if (/[?#]/.test(settings.issuer)) {
    throw ApiError.parameter('issuer', 'issuer must not have a query or a fragment.');
  }
  if (settings.jwksUrl !== null) assertUrl('jwks_url', settings.jwksUrl, isHosted);
  return settings;
}

function assertUrl(param: string, text: string, isHosted: boolean): void {
  // The URL parser would remove whitespace and add slashes.
  const url = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username !== '' || url.password !== '') {
    throw ApiError.parameter(
      param,
      `${param} must be an absolute https URL without a user name or password.`,
    );
  }
  if (url.protocol === 'http:' && isHosted) throw ApiError.parameter(param, `${param} must be an https URL.`);
}

function defaultName(kind: ProviderKind, { issuer, firebaseProjectId }: Issuing): string {
  if (kind === 'firebase') return `Firebase ${firebaseProjectId}`.slice(0, MAX_NAME);
  const host = URL.canParse(issuer) ? new URL(issuer).host : '';
  return `OpenID Connect ${host}`.slice(0, MAX_NAME);
}

function onlyFor(param: string, kind: ProviderKind): ApiError {
  return ApiError.parameter(param, `${param} is only for providers of kind ${kind}.`);
}
