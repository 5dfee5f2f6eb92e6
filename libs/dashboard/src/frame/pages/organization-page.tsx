import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { asCallError } from '../../api/call-error.js';
import { hasRole } from '../../api/organization.js';
import type { Feature } from '../../api/enterprise.types.js';
import { enterpriseQuery, organizationQuery } from '../../api/organizations.queries.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { ErrorPage, NotFoundPage, Problem } from './problem-page.js';
import SsoRequired from './sso-required.js';

const licensedFeatures = {
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
    sentence: 'Each project has a region where its data must be stored.',
  },
  audit_retention: {
    title: 'Audit retention',
    sentence: 'Entries of audit logs are deleted after a number of days that you choose.',
  },
  compliance_exports: {
    title: 'Compliance exports',
    sentence: 'The audit log and a review of access as files, signed by this server.',
  },
} satisfies Record<Feature, { title: string; sentence: string }>;

function NotLicensed({ feature }: { feature: Feature }) {
  return (
    <Problem title={licensedFeatures[feature].title}>
      <p>{licensedFeatures[feature].sentence}</p>
      <p className="text-muted">The licence of this server does not include it.</p>
      <Link to="/organizations/licence">See the licence</Link>
    </Problem>
  );
}

/** A page of an organization, if the person is a member with access. */
export default function OrganizationPage() {
  const { orgId = '' } = useParams({ strict: false });
  const organization = useQuery(organizationQuery(orgId));
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.organization });
  const isHome = useMatches({
    select: (matches) => matches.at(-1)?.routeId === '/signed-in/organizations/$orgId',
  });
  const { data, error, refetch } = organization;
  const enterprise = useQuery({ ...enterpriseQuery, enabled: error !== null });
  if (!data) {
    if (!error || enterprise.isLoading) return <Skeleton lines={6} />;
    const problem = asCallError(error);
    if (problem.isSsoRequired) return <SsoRequired message={problem.message} />;
    if (problem.status === 404) return <NotFoundPage />;
    // Also after the licence has expired, when all organization routes answer 403.
    if (problem.status === 403 && enterprise.data?.features.includes('organizations') === false)
      return <NotLicensed feature="organizations" />;
    return <ErrorPage error={error} reset={() => void refetch()} />;
  }
  if (isHome) return <Navigate to="/organizations/$orgId/overview" params={{ orgId }} replace />;
  const { role = 'member', feature } = needs ?? {};
  if (feature !== undefined && !data.features.includes(feature)) return <NotLicensed feature={feature} />;
  if (!hasRole(data.your_role, role))
    return (
      <Problem title="You cannot see this page">
        <p>Owners and admins of this organization see it. One of them can make you an admin.</p>
        <Link to="/organizations/$orgId/overview" params={{ orgId }}>
          Go to the overview of the organization
        </Link>
      </Problem>
    );
  return <Outlet />;
}
