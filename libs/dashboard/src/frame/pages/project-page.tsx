import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useMatches, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import { allowanceIn } from '../../api/permissions.js';
import { Skeleton } from '../../ui/loading/skeleton.js';
import { useEnvironment } from '../environment.js';
import { EnvironmentNote } from '../navigation/environment-switch.js';
import { firstPage } from '../navigation/navigation.js';
import { usePreferences } from '../preferences.js';
import { NotFoundPage } from './problem-page.js';
import { ssoRefusalOf } from '../queries.js';

const SsoRequired = lazy(() => import('./sso-required.js'));
const NoPermissionPage = lazy(() =>
  import('./no-permission-page.js').then((module) => ({ default: module.NoPermissionPage })),
);

/** A page of a project, if the person is a member who may read it. */
export default function ProjectPage() {
  const { projectId } = useParams({ strict: false });
  const { data: account } = useQuery(accountQuery);
  const { preferences, change } = usePreferences();
  const project = account?.projects.find(({ id }) => id === projectId);
  const operation = useMatches({
    select: (matches) => matches.at(-1)?.staticData.operation,
  });
  const isHome = useMatches({
    select: (matches) => matches.at(-1)?.routeId === '/signed-in/projects/$projectId/',
  });
  const isMember = project !== undefined;
  useEffect(() => {
    if (isMember) change({ lastProject: projectId ?? null });
  }, [isMember, projectId, change]);
  // The note at the top depends on the environment.
  const { isPending } = useEnvironment();
  const { data: ssoRefusal } = useQuery(ssoRefusalOf(projectId ?? ''));
  if (!project) return <NotFoundPage />;
  if (isHome) {
    const to =
      `/projects/$projectId${firstPage(project, preferences.startPage)}` as '/projects/$projectId/overview';
    return <Navigate to={to} params={{ projectId: project.id }} replace />;
  }
  if (ssoRefusal !== undefined)
    return (
      <Suspense>
        <SsoRequired message={ssoRefusal} />
      </Suspense>
    );
  if (operation && !allowanceIn(project, operation).allowed)
    return (
      <Suspense>
        <NoPermissionPage operation={operation} />
      </Suspense>
    );
  if (isPending) return <Skeleton lines={6} />;
  return (
    <>
      <EnvironmentNote />
      <Outlet />
    </>
  );
}
