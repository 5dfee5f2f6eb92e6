import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, call } from '../../api/client.js';
import { allowanceIn, permissionsOf, useProject } from '../../api/permissions.js';
import { DataText } from '../../ui/text/data-text.js';
import { Problem } from './problem-page.js';

function Admins() {
  const { projectId = '' } = useParams({ strict: false });
  const { allowed } = allowanceIn(useProject(), 'listCollaborators');
  const { data } = useQuery({
    queryKey: [projectId, 'members', 'admins'],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/collaborators', {
          params: { path: { project_id: projectId } },
          signal,
        }),
      ),
    enabled: allowed,
  });
  const admins = data?.items.filter(({ role }) => role === 'admin') ?? [];
  if (admins.length === 0) return <p>An admin of the project can give it to you.</p>;
  return (
    <div>
      <p>These admins can give it to you:</p>
      <ul className="mt-1 list-disc ps-5">
        {admins.map(({ id, name, email }) => (
          <li key={id}>
            <DataText>{name ? `${name} (${email})` : email}</DataText>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `operation` is the one that the page requires. */
export function NoPermissionPage({ operation }: { operation: string }) {
  return (
    <Problem title="You cannot see this page">
      <p>
        It needs the permission{' '}
        <code className="font-mono text-sm">{permissionsOf(operation).join(', ')}</code>, which you do not
        have in this project.
      </p>
      <Admins />
      <Link to="/">Go to your project</Link>
    </Problem>
  );
}
