import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ScimToken } from '../../api/enterprise.types.js';
import { Badge } from '../../ui/badge.js';
import { IconButton } from '../../ui/button.js';
import { ConfirmCall } from '../../frame/forms/confirm-call.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { Panel } from '../../ui/panel.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { tokenList, useRevokeToken } from './scim.queries.js';

const columnsOf = (onRevoke: (token: ScimToken) => void): Column<ScimToken>[] => [
  {
    id: 'name',
    header: 'Name',
    priority: 1,
    cell: ({ name, revoked_at: revokedAt }) => (
      <span className={revokedAt === null ? undefined : 'text-muted line-through'}>
        <DataText truncate>{name}</DataText>
      </span>
    ),
  },
  {
    id: 'token',
    header: 'Token',
    width: '10rem',
    cell: ({ prefix }) => <code className="font-mono text-sm">{prefix}…</code>,
  },
  {
    id: 'used',
    header: 'Last used',
    label: 'Last used',
    width: '8rem',
    cell: ({ last_used_at: at }) => <Time ms={at} none="Never" />,
  },
  {
    id: 'created',
    header: 'Created',
    priority: 3,
    width: '8rem',
    cell: (token) => <Time ms={token.created_at} />,
  },
  {
    id: 'revoke',
    header: <span className="sr-only">Revoke</span>,
    width: '5.5rem',
    align: 'end',
    priority: 1,
    cell: (token) =>
      token.revoked_at === null ? (
        <IconButton
          icon="trash"
          size="sm"
          label={`Revoke ${visibleText(token.name)}`}
          onClick={() => onRevoke(token)}
        />
      ) : (
        <Badge>Revoked</Badge>
      ),
  },
];

export function TokensPanel({ orgId }: { orgId: string }) {
  const list = tokenList(orgId);
  const tokens = useInfiniteQuery(list);
  const revoke = useRevokeToken(orgId);
  const [revoking, setRevoking] = useState<ScimToken | null>(null);
  const close = () => {
    setRevoking(null);
    revoke.reset();
  };
  return (
    <Panel
      title="Tokens"
      description="Each lets a provider change people and groups of this organization."
      padded={false}
    >
      <QueryList
        label="Tokens"
        things="tokens"
        query={tokens}
        queryKey={list.queryKey}
        columns={columnsOf(setRevoking)}
        rowKey={({ id }) => id}
        empty={{ sentence: 'Create a token, and enter it at your provider.' }}
      />
      {revoking && (
        <ConfirmCall
          danger
          title={`Revoke the token ${visibleText(revoking.name)}?`}
          effect="Requests of the provider with it are refused at once. This cannot be undone."
          confirmLabel="Revoke"
          write={revoke}
          input={revoking.id}
          done={`Revoked ${visibleText(revoking.name)}`}
          call={{
            operation: 'DELETE /v2/organizations/{org_id}/scim/tokens/{token_id}',
            path: { org_id: orgId, token_id: revoking.id },
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
