import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { organizationQuery } from '../../api/organizations.queries.js';
import { DataText } from '../../ui/text/data-text.js';

/** The name of the current page's organization. */
export default function OrganizationName() {
  const { orgId = '' } = useParams({ strict: false });
  const { data, isError } = useQuery({ ...organizationQuery(orgId), enabled: orgId !== '' });
  if (isError && data === undefined) return 'Organization';
  return <DataText>{data?.name ?? ''}</DataText>;
}
