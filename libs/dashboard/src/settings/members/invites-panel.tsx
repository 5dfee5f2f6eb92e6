import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { docsOf } from '../../api/docs-link.js';
import { useMay } from '../../api/permissions.js';
import { Badge } from '../../ui/badge.js';
import { IconButton } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Invite, inviteList, useResendInvite, useRevokeInvite } from './members.queries.js';
import { roleNames } from './labels.js';

const stateLabels = { pending: 'Pending', expired: 'Expired' };

const membersEnds = { pending: 'ends', expired: 'ended' };

function Actions({
  invite,
  projectId,
  onRevoke,
}: {
  invite: Invite;
  projectId: string;
  onRevoke: () => void;
}) {
  const toast = useToast();
  const mayResend = useMay('resendInvite');
  const mayRevoke = useMay('deleteInvite');
  const resend = useResendInvite(projectId, ({ email, email_sent: isSent }) =>
    isSent
      ? toast({ title: `A new link is on its way to ${visibleText(email)}`, tone: 'good' })
      : toast({
          title: 'The email could not be sent',
          description: 'The invitation exists. The email is retried; you can also resend it.',
          tone: 'warn',
        }),
  );
  return (
    <span className="flex justify-end gap-1.5">
      <IconButton
        size="sm"
        icon="send"
        label={`Resend the invitation of ${invite.email}`}
        busy={resend.isPending}
        disabledReason={mayResend.reason}
        onClick={() =>
          resend.mutate(invite.id, {
            onError: ({ message }) => toast({ title: message, tone: 'bad' }),
          })
        }
      />
      <IconButton
        size="sm"
        icon="trash"
        label={`Revoke the invitation of ${invite.email}`}
        disabledReason={mayRevoke.reason}
        onClick={onRevoke}
      />
    </span>
  );
}

const columnsOf = (projectId: string, onRevoke: (invite: Invite) => void): Column<Invite>[] => [
  {
    id: 'email',
    header: 'Email address',
    width: 'minmax(0, 1fr)',
    cell: ({ email }) => <DataText truncate>{email}</DataText>,
  },
  { id: 'role', header: 'Role', width: '6rem', cell: ({ role }) => roleNames[role] },
  {
    id: 'state',
    header: 'State',
    width: '7.5rem',
    cell: ({ status, expires_at: expiresAt }) => (
      <span className="flex flex-wrap items-center gap-x-2 py-1">
        <Badge tone={status === 'expired' ? 'warn' : 'neutral'}>{stateLabels[status]}</Badge>
        <span className="text-sm text-muted">
          {membersEnds[status]} <Time ms={expiresAt} />
        </span>
      </span>
    ),
  },
  {
    id: 'sent',
    header: 'Sent',
    label: 'Sent',
    width: '6.5rem',
    cell: (invite) => <Time ms={invite.last_sent_at} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '4.5rem',
    align: 'end',
    priority: 1,
    cell: (invite) => <Actions invite={invite} projectId={projectId} onRevoke={() => onRevoke(invite)} />,
  },
];

export function InvitesPanel({ projectId }: { projectId: string }) {
  const list = inviteList(projectId);
  const invites = useInfiniteQuery(list);
  const [revoking, setRevoking] = useState<Invite | null>(null);
  const revoke = useRevokeInvite(projectId);
  return (
    <Panel
      title="Invitations"
      description="Sent and not accepted yet. A link works for 7 days."
      padded={false}
    >
      <QueryList
        label="Invitations"
        query={invites}
        queryKey={list.queryKey}
        things="invitations"
        empty={{
          sentence: 'Invite a colleague by email. They join with the link in it.',
          docs: docsOf('Invites'),
        }}
        rowKey={({ id }) => id}
        columns={columnsOf(projectId, setRevoking)}
      />
      {revoking && (
        <ConfirmCall
          danger
          title="Revoke this invitation?"
          effect={`The link that was sent to ${visibleText(revoking.email)} stops working.`}
          confirmLabel="Revoke"
          write={revoke}
          input={revoking.id}
          done="The invitation is revoked"
          call={{
            operation: 'DELETE /v2/projects/{project_id}/invites/{invite_id}',
            path: { project_id: projectId, invite_id: revoking.id },
          }}
          onClose={() => {
            setRevoking(null);
            revoke.reset();
          }}
        />
      )}
    </Panel>
  );
}
