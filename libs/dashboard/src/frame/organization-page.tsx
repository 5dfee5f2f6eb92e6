import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { accountQuery } from '../api/account.queries.js';
import { asCallError, type CallError } from '../api/call-error.js';
import { hasRole } from '../api/organization.js';
import { organizationQuery } from '../api/organizations.queries.js';
import { buttonClass } from '../ui/button-class.js';
import { DataText } from '../ui/data-text.js';
import { Skeleton } from '../ui/skeleton.js';
import { organizationText as text } from './organization.text.js';
import { ErrorPage, NotFoundPage, Problem } from './problem-page.js';

/** The organization requires single sign-on, and the session began with a password. */
const isSsoRequired = ({ status, message }: CallError) => status === 403 && /single sign-on/i.test(message);

function SsoRequired({ error }: { error: CallError }) {
  const { data: account } = useQuery(accountQuery);
  const query = new URLSearchParams({ email: account?.user.email ?? '', next: location.pathname });
  return (
    <Problem title={text.ssoRequired}>
      <p>
        <DataText>{error.message}</DataText>
      </p>
      <a href={`/sso/start?${query.toString()}`} className={buttonClass({ variant: 'primary' })}>
        {text.ssoSignIn}
      </a>
    </Problem>
  );
}

/** A page of an organization, if the person is a member who may see it. */
export default function OrganizationPage() {
  const { orgId = '' } = useParams({ strict: false });
  const organization = useQuery(organizationQuery(orgId));
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.organization });
  const isHome = useMatches({
    select: (matches) => matches.at(-1)?.routeId === '/signed-in/organizations/$orgId',
  });
  const { data, error, refetch } = organization;
  if (!data) {
    if (!error) return <Skeleton lines={6} />;
    const problem = asCallError(error);
    if (isSsoRequired(problem)) return <SsoRequired error={problem} />;
    if (problem.status === 404) return <NotFoundPage />;
    return <ErrorPage error={error} reset={() => void refetch()} />;
  }
  if (isHome) return <Navigate to="/organizations/$orgId/overview" params={{ orgId }} replace />;
  const { role = 'member', feature } = needs ?? {};
  if (feature !== undefined && !data.features.includes(feature))
    return (
      <Problem title={text.features[feature].title}>
        <p>{text.features[feature].sentence}</p>
        <p className="text-muted">{text.notLicensed}</p>
        <Link to="/organizations/licence">{text.licence}</Link>
      </Problem>
    );
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
