import type { ApiError } from '../../../platform/http/errors/api-error.js';
import {
  clientOfDocument,
  documentLifetimeMs,
  DocumentProblem,
  isDocumentId,
} from './client-document.policy.js';
import { clientMetadataOf } from './client-metadata.policy.js';

const redirect_uris = ['https://agent.example.com/callback'];

function errorOf(body: unknown): string | undefined {
  try {
    clientMetadataOf(body);
    return undefined;
  } catch (error) {
    return (error as ApiError).details.oauthError;
  }
}

describe('what a client says about itself', () => {
  it('has defaults, and what is unknown or not offered is left out', () => {
    const said = {
      redirect_uris: [...redirect_uris, ...redirect_uris],
      client_uri: 'http://agent.example.com',
      logo_uri: 'https://agent.example.com/logo.png',
      token_endpoint_auth_method: 'client_secret_basic',
      software_id: 'x',
    };
    expect(clientMetadataOf(said)).toEqual({
      name: 'MCP client',
      redirectUris: redirect_uris,
      clientUri: null,
      logoUri: 'https://agent.example.com/logo.png',
      grantTypes: ['authorization_code', 'refresh_token'],
      applicationType: null,
      scope: null,
    });
  });

  it('keeps nothing in a name that could make it look like another', () => {
    const named = (client_name: string) => clientMetadataOf({ redirect_uris, client_name }).name;
    expect(named('  An\u202Eagent\u0000\n of  mine\u200B ')).toBe('Anagent of mine');
    expect(named('\u200B')).toBe('MCP client');
    expect(named('é'.repeat(100))).toHaveLength(100);
  });

  it.each([
    [null, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://a.example/' }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) },
      'invalid_redirect_uri',
    ],
    [{ redirect_uris: [...redirect_uris, 'javascript:x'] }, 'invalid_redirect_uri'],
    [{ redirect_uris, client_name: 'a'.repeat(101) }, 'invalid_client_metadata'],
    [{ redirect_uris, client_name: 7 }, 'invalid_client_metadata'],
    [{ redirect_uris, grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ redirect_uris, grant_types: [] }, 'invalid_client_metadata'],
    [{ redirect_uris, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris, scope: {} }, 'invalid_client_metadata'],
    [{ redirect_uris, application_type: 'a\0' }, 'invalid_client_metadata'],
  ])('refuses: %j', (body, error) => {
    expect(errorOf(body)).toBe(error);
  });
});

describe('a client that is described at its address', () => {
  const id = 'https://agent.example.com/client.json';
  const document = { client_id: id, client_name: 'Agent', redirect_uris };

  it.each([
    [id, true],
    ['https://agent.example.com/', false],
    ['https://agent.example.com', false],
    ['http://agent.example.com/client.json', false],
    ['https://user@agent.example.com/client.json', false],
    ['https://agent.example.com/client.json#x', false],
    ['https://agent.example.com/a/../client.json', false],
    ['https://agent.example.com/%2e%2e/client.json', false],
    ['https://AGENT.example.com/client.json', false],
    ['https://agent.example.com:443/client.json', false],
    [`https://agent.example.com/${'a'.repeat(500)}`, false],
  ])('has a plain https address: %s: %s', (clientId, isOne) => {
    expect(isDocumentId(clientId, false)).toBe(isOne);
  });

  it('allows another one for tests', () => {
    expect(isDocumentId('http://127.0.0.1:8080/client.json', true)).toBe(true);
  });

  it.each(['none', 'private_key_jwt'])(
    'accepts a public client with a name and redirect URIs (%s)',
    (method) => {
      const more = { grant_types: ['authorization_code', 'urn:other'], token_endpoint_auth_method: method };
      expect(clientOfDocument(id, JSON.stringify({ ...document, ...more }))).toMatchObject({
        name: 'Agent',
        redirectUris: redirect_uris,
      });
    },
  );

  it.each([
    ['[]'],
    ['<html>'],
    [JSON.stringify({ ...document, client_id: `${id}?` })],
    [JSON.stringify({ ...document, client_name: undefined })],
    [JSON.stringify({ ...document, client_name: ' ' })],
    [JSON.stringify({ ...document, client_secret: 'x' })],
    [JSON.stringify({ ...document, client_secret_expires_at: 0 })],
    [JSON.stringify({ ...document, token_endpoint_auth_method: 'client_secret_post' })],
    [JSON.stringify({ ...document, token_endpoint_auth_method: 'client_secret_jwt' })],
    [JSON.stringify({ ...document, token_endpoint_auth_method: 7 })],
  ])('refuses: %s', (text) => {
    expect(() => clientOfDocument(id, text)).toThrow(DocumentProblem);
  });

  it('refuses it without redirect URIs', () => {
    expect(() => clientOfDocument(id, JSON.stringify({ ...document, redirect_uris: undefined }))).toThrow(
      'redirect_uris',
    );
  });

  it.each([
    [undefined, 300],
    ['no-store', 300],
    ['no-cache, max-age=3600', 300],
    ['max-age=60', 300],
    ['public, max-age=3600', 3600],
    ['s-maxage=9, max-age=3600', 3600],
    ['max-age=999999', 86_400],
  ])('fetches it again after its own time, within bounds: %s', (header, seconds) => {
    expect(documentLifetimeMs(header)).toBe(seconds * 1000);
  });
});
