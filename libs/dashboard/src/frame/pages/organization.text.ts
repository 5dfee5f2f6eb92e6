import type { Feature } from '../../api/enterprise.types.js';

/** Texts around the pages of organizations. */
export const organizationText = {
  unnamed: 'Organization',
  ssoRequired: 'Sign in with single sign-on',
  ssoSignIn: 'Sign in with single sign-on',
  notLicensed: 'The licence of this server does not have it.',
  licence: 'See the licence',
  takesRole: 'Owners and admins of this organization see it. One of them can make you an admin.',
  overview: 'Go to the overview of the organization',
  features: {
    organizations: {
      title: 'Organizations',
      sentence:
        'An organization holds projects and people, and gives its owners and admins all of its projects.',
    },
    custom_roles: {
      title: 'Custom roles',
      sentence:
        'Roles with permissions of your choice, and roles that follow the groups of your identity provider.',
    },
    sso: {
      title: 'Single sign-on',
      sentence: 'People sign in through your identity provider, by SAML or OpenID Connect.',
    },
    scim: {
      title: 'Provisioning',
      sentence: 'Your identity provider adds and removes people and groups by SCIM 2.0.',
    },
    data_location: {
      title: 'Data location',
      sentence: 'Each project has a region in which its data is to be kept.',
    },
    audit_retention: {
      title: 'Audit retention',
      sentence: 'Entries of audit logs are deleted after a number of days that you choose.',
    },
    compliance_exports: {
      title: 'Compliance exports',
      sentence: 'The audit log and a review of access as files, signed by this server.',
    },
  } satisfies Record<Feature, { title: string; sentence: string }>,
} as const;
