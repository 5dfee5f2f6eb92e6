import type { Type } from '@nestjs/common';

/** The only import of the enterprise edition: a server without it loads none of its code. */
export async function loadEnterprise(): Promise<Type> {
  return (await import('./enterprise/enterprise-wing.module.js')).EnterpriseWingModule;
}
