import type { Feature, OrganizationRole, Region } from '../api/enterprise.types.js';

export const regionNames: Record<Region, string> = { us: 'United States', eu: 'European Union' };

export const roleNames: Record<OrganizationRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
};

export const featureNames: Record<Feature, string> = {
  organizations: 'Organizations',
  custom_roles: 'Custom roles and group mappings',
  sso: 'Single sign-on',
  scim: 'Provisioning (SCIM)',
  data_location: 'Data location',
  audit_retention: 'Audit retention',
  compliance_exports: 'Compliance exports',
};

export const notLicensed = (feature: Feature): string =>
  `The licence of this server does not include “${featureNames[feature]}”.`;
