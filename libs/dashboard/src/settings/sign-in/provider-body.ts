import type { Schema } from '../../api/types.js';
import type { Provider } from './sign-in.queries.js';

export interface ProviderFields {
  kind: Provider['kind'];
  name: string;
  firebase_project_id: string;
  issuer: string;
  audiences: string;
  jwks_url: string;
  app_user_id_claim: string;
  app_user_id_prefix: string;
  enabled: boolean;
}

export const newProvider: ProviderFields = {
  kind: 'firebase',
  name: '',
  firebase_project_id: '',
  issuer: '',
  audiences: '',
  jwks_url: '',
  app_user_id_claim: 'sub',
  app_user_id_prefix: '',
  enabled: true,
};

export const fieldsOf = (provider: Provider): ProviderFields => ({
  kind: provider.kind,
  name: provider.name,
  firebase_project_id: provider.firebase_project_id ?? '',
  issuer: provider.issuer,
  audiences: provider.audiences.join(', '),
  jwks_url: provider.jwks_url ?? '',
  app_user_id_claim: provider.app_user_id_claim,
  app_user_id_prefix: provider.app_user_id_prefix,
  enabled: provider.enabled,
});

const given = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());

/** Body of create and update, without fields of the other kind. */
export function providerBody(fields: ProviderFields): Schema<'UpdateAuthProviderDto'> {
  const shared = {
    name: given(fields.name),
    app_user_id_claim: given(fields.app_user_id_claim),
    app_user_id_prefix: fields.app_user_id_prefix,
    enabled: fields.enabled,
  };
  if (fields.kind === 'firebase')
    return { ...shared, firebase_project_id: fields.firebase_project_id.trim() };
  return {
    ...shared,
    issuer: fields.issuer.trim(),
    audiences: fields.audiences
      .split(',')
      .map((audience) => audience.trim())
      .filter((audience) => audience !== ''),
    jwks_url: given(fields.jwks_url) ?? null,
  };
}
