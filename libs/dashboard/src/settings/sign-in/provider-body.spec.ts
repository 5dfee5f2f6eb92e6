import { newProvider, providerBody } from './provider-body.js';

const sent = (fields: Parameters<typeof providerBody>[0]) =>
  JSON.parse(JSON.stringify(providerBody(fields))) as unknown;

describe('what a provider is made of', () => {
  it('consists of the project for Firebase, and nothing of OpenID Connect', () => {
    expect(sent({ ...newProvider, firebase_project_id: ' acme ', issuer: 'https://a.example' })).toEqual({
      firebase_project_id: 'acme',
      app_user_id_claim: 'sub',
      app_user_id_prefix: '',
      enabled: true,
    });
  });

  it('consists of issuer and audiences for OpenID Connect', () => {
    const fields = {
      ...newProvider,
      kind: 'oidc' as const,
      name: 'Auth0',
      issuer: 'https://acme.example/',
      audiences: 'ios, android,',
      enabled: false,
    };
    expect(sent(fields)).toEqual({
      name: 'Auth0',
      issuer: 'https://acme.example/',
      audiences: ['ios', 'android'],
      jwks_url: null,
      app_user_id_claim: 'sub',
      app_user_id_prefix: '',
      enabled: false,
    });
  });
});
