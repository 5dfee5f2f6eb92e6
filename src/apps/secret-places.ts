import type { CredentialName } from './store-fields.js';

/** Where a sealed credential of an app belongs; it opens nowhere else. */
export function credentialPlace(projectId: string, appId: string, name: CredentialName): string {
  return `${projectId}/${appId}/${name}`;
}
