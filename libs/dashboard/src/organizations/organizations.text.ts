import type { Feature, OrganizationRole, Region } from '../api/enterprise.types.js';

/** Texts that several organization pages share. */
export const roleNames: Record<OrganizationRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
};

export const regionNames: Record<Region, string> = { us: 'United States', eu: 'European Union' };

export const featureNames: Record<Feature, string> = {
  organizations: 'Organizations',
  custom_roles: 'Custom roles and group mappings',
  sso: 'Single sign-on',
  scim: 'Provisioning (SCIM)',
  data_location: 'Data location',
  audit_retention: 'Audit retention',
  compliance_exports: 'Compliance exports',
};

/** Why a control is disabled. */
export const notLicensed = (feature: Feature): string =>
  `The licence of this server does not have “${featureNames[feature]}”.`;

export const text = {
  title: 'Organizations',
  note: 'An organization holds projects and people. Its owners and admins are admins of all of its projects.',
  things: 'organizations',
  empty: 'Put projects and people under one roof: one sign-in, one list of members, one audit log.',
  columns: { name: 'Name', role: 'Your role', members: 'Members', projects: 'Projects', region: 'Region' },
  create: 'New organization',
  name: 'Name',
  nameMissing: 'Give the organization a name.',
  region: 'Region',
  regionHint: 'Where its data is to be kept.',
  regionDefault: 'The region of this server',
  created: (name: string) => `Created ${name}`,
  licence: 'Licence',
} as const;

export const licenceText = {
  title: 'Licence',
  modes: { development: 'Development', licensed: 'Licensed', invalid: 'Not valid' },
  overdue: 'Expired, still in use',
  mode: 'State',
  licensee: 'Licensed to',
  expires: 'Expires',
  expired: 'Expired',
  never: 'Never',
  features: 'Features',
  featuresNote: 'What is not licensed is left out of the pages; its routes answer 403.',
  included: 'Included',
  notIncluded: 'Not included',
  change: 'The licence is read when the server starts, from SERVICE_LICENSE_KEY. Its expiry counts at once.',
} as const;
