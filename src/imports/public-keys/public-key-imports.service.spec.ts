import type { AppPublicKeysService } from '../../catalog/apps/app-public-keys.service.js';
import { systemChange } from '../../platform/audit/project-write.js';
import type { Config } from '../../platform/config/config.js';
import type { CredentialsCheckService } from '../../stores/shared/credentials-check.service.js';
import { PublicKeyImportsService } from './public-key-imports.service.js';

const write = { ...systemChange, projectId: 'proj1' };

describe('importing a public key', () => {
  const replaced: string[] = [];
  const keys = {
    replace: (_: unknown, appId: string) => {
      replaced.push(appId);
      return Promise.resolve({});
    },
  } as unknown as AppPublicKeysService;
  const importWith = (edition: Config['edition'], valid: boolean) => {
    const verify = () => Promise.resolve({ valid, message: 'The key is for another bundle ID.' });
    const checks = { verify } as unknown as CredentialsCheckService;
    const service = new PublicKeyImportsService(keys, checks, { edition } as Config);
    return service.import(write, 'app1', 'appl_shippedKey');
  };

  beforeEach(() => replaced.splice(0));

  it('requires verified store credentials on the hosted edition', async () => {
    await expect(importWith('cloud', false)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('The key is for another bundle ID.') as unknown,
    });
    expect(replaced).toEqual([]);
    await importWith('cloud', true);
    expect(replaced).toEqual(['app1']);
  });

  it('requires none on a server of its own', async () => {
    await importWith('self-hosted', false);
    expect(replaced).toEqual(['app1']);
  });
});
