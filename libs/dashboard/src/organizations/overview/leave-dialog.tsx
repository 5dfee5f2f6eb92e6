import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { accountQuery } from '../../api/account.queries.js';
import type { Organization } from '../../api/enterprise.types.js';
import { organizationKey } from '../../api/organizations.queries.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { useRemoveMember } from '../members/members.queries.js';

/** Every member may leave, except the last owner. */
export function LeaveDialog({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const { id: orgId } = organization;
  const { data: account } = useQuery(accountQuery);
  const leave = useRemoveMember(orgId);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const name = visibleText(organization.name);
  const userId = account?.user.id ?? '';
  const goAway = async () => {
    await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
    await navigate({ to: '/organizations' });
    queries.removeQueries({ queryKey: organizationKey(orgId) });
  };
  return (
    <ConfirmCall
      danger
      title={`Leave ${name}?`}
      effect="You lose access to the organization and to all of its projects at once."
      confirmLabel="Leave the organization"
      write={leave}
      input={userId}
      done={`You have left ${name}`}
      call={{
        operation: 'DELETE /v2/organizations/{org_id}/members/{user_id}',
        path: { org_id: orgId, user_id: userId },
      }}
      onClose={onClose}
      onDone={goAway}
    />
  );
}
