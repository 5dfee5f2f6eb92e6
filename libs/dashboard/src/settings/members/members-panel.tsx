import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import { itemsOf } from '../../api/paging.js';
import { Badge } from '../../ui/badge.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { MemberMenu } from './member-menu.js';
import { type Member, memberList } from './members.queries.js';
import { RemoveDialog } from './remove-dialog.js';
import { RoleDialog } from './role-dialog.js';
import { roleName } from './role-of.js';

interface Opened {
  kind: 'role' | 'remove';
  member: Member;
}

interface Context {
  ownId: string | undefined;
  isLastAdmin: (member: Member) => boolean;
  open: (opened: Opened) => void;
}

const columnsOf = ({ ownId, isLastAdmin, open }: Context): Column<Member>[] => [
  {
    id: 'person',
    header: 'Person',
    width: 'minmax(0, 1fr)',
    cell: (member) => (
      <span className="flex min-w-0 flex-col py-1">
        <span className="flex min-w-0 items-center gap-2 font-medium">
          <DataText truncate>{member.name ?? member.email}</DataText>
          {member.id === ownId && <Badge tone="accent">You</Badge>}
        </span>
        {member.name !== null && (
          <span className="text-sm text-muted">
            <DataText truncate>{member.email}</DataText>
          </span>
        )}
      </span>
    ),
  },
  { id: 'role', header: 'Role', width: '6rem', cell: roleName },
  {
    id: 'two-factor',
    header: 'Two-factor',
    label: 'Two-factor',
    width: '6rem',
    cell: ({ has_mfa: isOn }) => <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>,
  },
  {
    id: 'joined',
    header: 'Joined',
    label: 'Joined',
    width: '7rem',
    cell: (member) => <Time ms={member.accepted_at} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '2.5rem',
    align: 'end',
    priority: 1,
    cell: (member) => (
      <MemberMenu
        member={member}
        isSelf={member.id === ownId}
        isLastAdmin={isLastAdmin(member)}
        onRole={() => open({ kind: 'role', member })}
        onRemove={() => open({ kind: 'remove', member })}
      />
    ),
  },
];

export function MembersPanel({ projectId }: { projectId: string }) {
  const list = memberList(projectId);
  const members = useInfiniteQuery(list);
  const { data: account } = useQuery(accountQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const ownId = account?.user.id;
  // Known only if all members are loaded; otherwise the server reports it.
  const admins = members.hasNextPage ? [] : itemsOf(members.data).filter(({ role }) => role === 'admin');
  const isLastAdmin = (member: Member) => admins.length === 1 && admins[0]?.id === member.id;
  const close = () => setOpened(null);
  const dialog = opened && {
    projectId,
    member: opened.member,
    isSelf: opened.member.id === ownId,
    onClose: close,
  };
  return (
    <Panel title="Members" description="People who can open this project." padded={false}>
      <QueryList
        label="Members"
        query={members}
        queryKey={list.queryKey}
        things="members"
        empty={{ sentence: 'There are no members.' }}
        rowKey={({ id }) => id}
        columns={columnsOf({ ownId, isLastAdmin, open: setOpened })}
      />
      {dialog && opened.kind === 'role' && <RoleDialog {...dialog} />}
      {dialog && opened.kind === 'remove' && <RemoveDialog {...dialog} />}
    </Panel>
  );
}
