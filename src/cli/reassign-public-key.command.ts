import { AppPublicKeysService } from '../catalog/apps/app-public-keys.service.js';
import { withApplication } from './application.js';
import { print } from './context.js';

/** For a project whose released builds send a key that another project has used. */
export async function reassignPublicKey(publicKey: string, projectId: string): Promise<void> {
  const former = await withApplication((app) =>
    app.get(AppPublicKeysService, { strict: false }).reassign(publicKey, projectId),
  );
  print(`The public key is reserved for ${projectId}, which can import it now.`);
  if (former) print(`App ${former.appId} of ${former.projectId} had it, and has a new key.`);
}
