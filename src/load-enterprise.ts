import type { Type } from '@nestjs/common';

/* The only imports of the enterprise edition: a server without it loads none of its code. */

export async function loadEnterprise(): Promise<Type> {
  return (await import('./enterprise/enterprise.module.js')).EnterpriseAreaModule;
}

/** For the command line, which issues and reads licences. */
export function loadLicenceTools() {
  return import('./enterprise/licence/licence-tools.js');
}
