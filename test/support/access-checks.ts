import { allPermissions, type Permission } from '../../src/platform/principal/permissions.js';
import type { ApiClient } from './api-client.js';
import { createSecretKey, type SignedUp, signUp } from './arrange.js';
import type { TestServer } from './test-server.js';

const UNKNOWN_KEY = `sk_${'0'.repeat(48)}`;

/**
 * Tests that every REST v2 route below a project passes, whatever it does: who is let in, and in which
 * order the refusals come. The server must allow sign-ups.
 */
export function describeAccess(
  server: () => TestServer,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: (projectId: string) => string,
  permission: Permission,
): void {
  const call = (client: ApiClient, projectId: string) =>
    client.send(method, path(projectId), method === 'POST' || method === 'PATCH' ? {} : undefined);

  describe('access', () => {
    let owner: SignedUp;
    let stranger: SignedUp;

    beforeAll(async () => {
      owner = await signUp(server());
      stranger = await signUp(server());
    });

    it('answers 401 without a credential, with an unknown key and with a bare key', async () => {
      const { http } = server();
      const { key } = await createSecretKey(owner.session, owner.projectId);
      for (const client of [http, http.withKey(UNKNOWN_KEY), http.with({ authorization: key })]) {
        const answer = await call(client, owner.projectId);
        expect([answer.status, answer.body.type]).toEqual([401, 'authentication_error']);
      }
    });

    it('answers 403 naming the permission that a key lacks', async () => {
      const area = permission.replace(/:[a-z_]+$/, '');
      const others = allPermissions.filter((name) => !name.startsWith(`${area}:`));
      const { client } = await createSecretKey(owner.session, owner.projectId, others);
      const answer = await call(client, owner.projectId);
      expect([answer.status, answer.body.type]).toEqual([403, 'authorization_error']);
      expect(answer.body.message).toBe(`This key lacks the permission (scope) \`${permission}\`.`);
    });

    it("answers 404 to another project's key and to people who are no members", async () => {
      const { client } = await createSecretKey(stranger.session, stranger.projectId);
      for (const other of [client, stranger.session]) {
        for (const projectId of [owner.projectId, 'projunknown']) {
          const answer = await call(other, projectId);
          expect([answer.status, answer.body.type]).toEqual([404, 'resource_missing']);
        }
      }
    });
  });
}
