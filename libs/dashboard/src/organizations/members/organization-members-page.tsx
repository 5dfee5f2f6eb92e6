import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import type { OrganizationMember } from '../../api/enterprise.types.js';
import { useOrganizationMay } from '../../api/organization.js';
import { itemsOf } from '../../api/paging.js';
import { Page } from '../../frame/pages/page.js';
import { Button } from '../../ui/button.js';
import { Menu } from '../../ui/overlays/menu.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { AddMemberDialog } from './add-member-dialog.js';
import { ChangeRoleDialog } from './change-role-dialog.js';
import { columnsOf } from './member-columns.js';
import { memberList } from './members.queries.js';
import { RemoveMemberDialog } from './remove-member-dialog.js';

const route = getRouteApi('/signed-in/organizations/$orgId/members');

type Opened = { kind: 'add' } | { kind: 'role' | 'remove'; member: OrganizationMember };

export default function OrganizationMembersPage() {
  const { orgId } = route.useParams();
  const list = memberList(orgId);
  const members = useInfiniteQuery(list);
  const { data: account } = useQuery(accountQuery);
  const { allowed: isOwner } = useOrganizationMay('owner');
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const owners = itemsOf(members.data).filter(({ role, active }) => role === 'owner' && active);
  const reasonAgainst = (member: OrganizationMember): string | null => {
    if (member.role !== 'owner') return null;
    if (!isOwner) return 'Only owners change or remove owners.';
    // Known only if all members are loaded; otherwise the server reports it.
    return owners.length === 1 && !members.hasNextPage
      ? 'An organization needs an owner, and this person is the only one.'
      : null;
  };
  const actions = (member: OrganizationMember) => (
    <Menu
      iconOnly
      size="sm"
      variant="ghost"
      label={`Actions for ${member.name ?? member.email}`}
      items={[
        {
          label: 'Change role',
          icon: 'edit',
          disabledReason: member.active
            ? reasonAgainst(member)
            : 'Your identity provider has deactivated this person. Only the identity provider can undo this.',
          onSelect: () => setOpened({ kind: 'role', member }),
        },
        {
          label: 'Remove from the organization',
          icon: 'trash',
          danger: true,
          disabledReason: reasonAgainst(member),
          onSelect: () => setOpened({ kind: 'remove', member }),
        },
      ]}
    />
  );
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setOpened({ kind: 'add' })}>
      Add a member
    </Button>
  );
  return (
    <Page
      title="Members"
      note="People of this organization. Owners and admins are admins of each of its projects."
      actions={add}
    >
      <Panel padded={false}>
        <QueryList
          label="Members"
          things="members"
          query={members}
          queryKey={list.queryKey}
          columns={columnsOf({ ownId: account?.user.id, actions })}
          rowKey={({ user_id: id }) => id}
          empty={{ sentence: 'Add people who have an account on this server.', action: add }}
        />
      </Panel>
      {opened?.kind === 'add' && <AddMemberDialog orgId={orgId} onClose={close} />}
      {opened?.kind === 'role' && <ChangeRoleDialog orgId={orgId} member={opened.member} onClose={close} />}
      {opened?.kind === 'remove' && (
        <RemoveMemberDialog orgId={orgId} member={opened.member} onClose={close} />
      )}
    </Page>
  );
}
