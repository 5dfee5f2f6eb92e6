import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { docsOf } from '../../api/docs-link.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/lists/data-list.js';
import { DataText } from '../../ui/text/data-text.js';
import { QueryList } from '../../ui/lists/query-list.js';
import { Time } from '../../ui/format/time.js';
import type { Tone } from '../../ui/tone.js';
import { useSummary } from '../use-summary.js';
import { useCustomer } from '../customer-context.js';
import { LinkActions } from './link-actions.js';
import { LinkDialog, webPurchases } from './link-dialog.js';
import { type LinkStatus, linksQuery, type RedemptionLink } from './links.queries.js';
import { NeedsPermission } from '../needs-permission.js';
import { useProductName } from '../purchases/use-bought.js';

const statusLabels = {
  active: 'Active',
  expired: 'Expired',
  replaced: 'Replaced',
  revoked: 'Revoked',
  redeemed: 'Redeemed',
} satisfies Record<LinkStatus, string>;

const tones: Record<LinkStatus, Tone> = {
  active: 'good',
  expired: 'neutral',
  replaced: 'neutral',
  revoked: 'bad',
  redeemed: 'accent',
};

function PurchaseName({ link }: { link: RedemptionLink }) {
  return <DataText>{useProductName(link.subscription_id ?? link.purchase_id ?? '')}</DataText>;
}

const columns: Column<RedemptionLink>[] = [
  {
    id: 'status',
    header: 'Status',
    priority: 1,
    cell: ({ status, redeemed_by: by }) => (
      <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-1.5">
        <Badge tone={tones[status]}>{statusLabels[status]}</Badge>
        {by !== null && <DataText>{`by ${by}`}</DataText>}
      </span>
    ),
  },
  { id: 'purchase', header: 'Purchase', cell: (link) => <PurchaseName link={link} /> },
  {
    id: 'email',
    header: 'Address',
    priority: 3,
    cell: ({ obfuscated_email: email }) => (email === null ? '—' : <DataText>{email}</DataText>),
  },
  {
    id: 'created',
    header: 'Created',
    width: '9rem',
    cell: (link) => <Time ms={link.created_at} />,
  },
  {
    id: 'expires',
    header: 'Works until',
    width: '9rem',
    priority: 3,
    cell: (link) => <Time ms={link.expires_at} />,
  },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    width: '14rem',
    align: 'end',
    priority: 1,
    cell: (link) => <LinkActions link={link} />,
  },
];

/** Links that redeem the customer's purchases in an app. */
export function LinksTab() {
  const { projectId, id } = useCustomer();
  const mayRead = useMay('listCustomerRedemptionLinks');
  const mayCreate = useMay('createRedemptionLink');
  const options = linksQuery(projectId, id);
  const query = useInfiniteQuery({ ...options, enabled: mayRead.allowed });
  const { data } = useSummary(projectId, id);
  const [isOpen, setIsOpen] = useState(false);
  if (!mayRead.allowed) return <NeedsPermission reason={mayRead.reason} />;
  const purchases = webPurchases(data?.items[0]);
  const create = (
    <Button
      icon="link"
      disabledReason={
        mayCreate.reason ??
        (purchases.length === 0 ? 'This customer bought nothing with Stripe or Paddle.' : null)
      }
      onClick={() => setIsOpen(true)}
    >
      Create a link
    </Button>
  );
  const hasLinks = query.data?.pages.some(({ items }) => items.length > 0) ?? false;
  return (
    <>
      {hasLinks && <div className="px-4 pb-3">{create}</div>}
      <QueryList
        label="Redemption links"
        things="redemption links"
        query={query}
        queryKey={options.queryKey}
        columns={columns}
        rowKey={(link) => link.id}
        empty={{
          sentence: 'A link unlocks a web purchase in the app on the customer’s device.',
          action: create,
          docs: docsOf('Web purchases'),
        }}
      />
      {isOpen && <LinkDialog purchases={purchases} onClose={() => setIsOpen(false)} />}
    </>
  );
}
