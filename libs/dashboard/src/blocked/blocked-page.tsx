import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { Page } from '../frame/pages/page.js';
import { Button } from '../ui/button.js';
import type { Column } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { Panel } from '../ui/panel.js';
import { QueryList } from '../ui/lists/query-list.js';
import { Time } from '../ui/format/time.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { BlockDialog } from './block-dialog.js';
import { type BlockedCustomer, blockedQuery, useBlock, useUnblock } from './blocked.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/blocked');

function UnblockButton({ customer, projectId }: { customer: BlockedCustomer; projectId: string }) {
  const { app_user_id: id, note } = customer;
  const unblock = useUnblock(projectId);
  const block = useBlock(projectId);
  const may = useMay('unblockCustomer');
  const toast = useToast();
  const name = visibleText(id);
  const undo = () =>
    block
      .mutateAsync({ app_user_id: id, note })
      .catch(({ message }: Error) =>
        toast({ tone: 'bad', title: `${name} is not blocked again`, description: message }),
      );
  const onUnblocked = () =>
    toast({ title: `Unblocked ${name}`, action: { label: 'Undo', onClick: () => void undo() } });
  return (
    <Button
      size="sm"
      aria-label={`Unblock ${name}`}
      busy={unblock.isPending}
      disabledReason={may.reason}
      onClick={() =>
        unblock.mutate(id, {
          onSuccess: onUnblocked,
          onError: ({ message }) =>
            toast({ tone: 'bad', title: `${name} is still blocked`, description: message }),
        })
      }
    >
      Unblock
    </Button>
  );
}

export default function BlockedPage() {
  const { projectId } = route.useParams();
  const blocked = useInfiniteQuery(blockedQuery(projectId));
  const may = useMay('blockCustomer');
  const [isOpen, setIsOpen] = useState(false);
  const add = (
    <Button variant="primary" icon="ban" disabledReason={may.reason} onClick={() => setIsOpen(true)}>
      Block a customer
    </Button>
  );
  const columns: Column<BlockedCustomer>[] = [
    {
      id: 'id',
      header: 'App user id',
      priority: 1,
      cell: ({ app_user_id: id, customer_exists: exists }) =>
        exists ? (
          <Link to="/projects/$projectId/customer" params={{ projectId }} search={{ id }}>
            <DataText mono>{id}</DataText>
          </Link>
        ) : (
          <DataText mono>{id}</DataText>
        ),
    },
    {
      id: 'note',
      header: 'Note',
      cell: ({ note }) => (note === null ? '—' : <DataText>{note}</DataText>),
    },
    {
      id: 'by',
      header: 'By',
      priority: 3,
      cell: ({ blocked_by: by }) => <DataText>{by.email ?? by.id}</DataText>,
    },
    {
      id: 'at',
      header: 'Blocked',
      width: '9rem',
      cell: (customer) => <Time ms={customer.blocked_at} />,
    },
    {
      id: 'unblock',
      header: <span className="sr-only">Unblock</span>,
      width: '6.5rem',
      align: 'end',
      priority: 1,
      cell: (customer) => <UnblockButton customer={customer} projectId={projectId} />,
    },
  ];
  return (
    <Page
      title="Blocked customers"
      note="Customers with these app user ids get no access, whatever they buy. Purchases are still recorded."
      actions={add}
    >
      <Panel padded={false}>
        <QueryList
          label="Blocked customers"
          things="blocked customers"
          query={blocked}
          queryKey={blockedQuery(projectId).queryKey}
          columns={columns}
          rowKey={({ id }) => id}
          empty={{
            sentence:
              'Block an app user id to remove all access of its customer, even before the id is first seen.',
            action: add,
            docs: docsOf('Blocked customers'),
          }}
        />
      </Panel>
      {isOpen && <BlockDialog projectId={projectId} onClose={() => setIsOpen(false)} />}
    </Page>
  );
}
