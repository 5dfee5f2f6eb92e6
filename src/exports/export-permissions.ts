import type { Permission } from '../platform/principal/permissions.js';

/** Exports carry customers out of the server, so changing, testing and running them requires reading customers too. */
export const exportPermissions: [Permission, ...Permission[]] = [
  'project_configuration:integrations:read_write',
  'customer_information:customers:read',
  'customer_information:subscriptions:read',
  'customer_information:purchases:read',
];
