import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An OpenID Connect provider with one RSA key, as most have it. */
export async function startIdentityProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    idToken(sub) {
      const iat = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: 'bench', sub, iat, exp: iat + 3600 };
      const content = `${part({ alg: 'RS256', typ: 'JWT', kid: 'bench' })}.${part(claims)}`;
      return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
    },
    stop: () => server.close(),
  };
}
