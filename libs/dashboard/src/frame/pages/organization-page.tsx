import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { asCallError } from '../../api/call-error.js';
import { hasRole } from '../../api/organization.js';
import type { Feature } from '../../api/enterprise.types.js';
import { enterpriseQuery, organizationQuery } from '../../api/organizations.queries.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { organizationText as text } from './organization.text.js';
import { ErrorPage, NotFoundPage, Problem } from './problem-page.js';
import SsoRequired from './sso-required.js';

function NotLicensed({ feature }: { feature: Feature }) {
  return (
    <Problem title={text.features[feature].title}>
      <p>{text.features[feature].sentence}</p>
      <p className="text-muted">{text.notLicensed}</p>
      <Link to="/organizations/licence">{text.licence}</Link>
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
        <p>{text.takesRole}</p>
        <Link to="/organizations/$orgId/overview" params={{ orgId }}>
          {text.overview}
        </Link>
      </Problem>
    );
  return <Outlet />;
}
