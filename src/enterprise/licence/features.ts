/** Features that a licence can include. */
export const features = [
  'organizations',
  'custom_roles',
  'sso',
  'scim',
  'data_location',
  'audit_retention',
  'compliance_exports',
] as const;
export type Feature = (typeof features)[number];
