import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { useMay } from '../api/permissions.js';
import { allProductsQuery } from '../api/products.queries.js';
import { conditionWords } from '../frame/conditions/condition-words.js';
import { Button } from '../ui/button.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatPeriod } from '../ui/format/period.js';
import { type Column, DataList } from '../ui/lists/data-list.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SkeletonRows } from '../ui/loading/skeleton.js';
import { Menu } from '../ui/overlays/menu.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { visibleText } from '../ui/text/visible-text.js';
import { DeletePolicyDialog } from './delete-policy-dialog.js';
import { preferenceLabels, storeLabels } from './labels.js';
import { policiesQuery, type RefundPolicy } from './policies.queries.js';
import { PolicyPreview } from './policy-preview.js';
import { PolicyDialog } from './policy-dialog.js';
import { type PolicyAction, usePolicyItems } from './use-policy-items.js';

const noPolicies: readonly RefundPolicy[] = [];

function isoMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`;
}

/** The refund policies of a project, in the order in which they are evaluated. */
export function PoliciesPanel({ projectId }: { projectId: string }) {
  const { locale } = useFormat();
  const query = policiesQuery(projectId);
  const policies = useQuery(query);
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const mayCreate = useMay('createRefundPolicy');
  const [open, setOpen] = useState<{ action: PolicyAction; policy: RefundPolicy | null } | null>(null);
  const itemsOf = usePolicyItems(projectId, policies.data ?? noPolicies, (action, policy) =>
    setOpen({ action, policy }),
  );
  const { data: products = [] } = useQuery({
    ...allProductsQuery(projectId),
    enabled: policies.data?.some(({ conditions }) => conditions.some(({ field }) => field === 'product')),
  });
  const nameOf = (id: string): string => {
    const product = products.find((one) => one.id === id);
    return product
      ? (product.display_name ?? product.store_identifier)
      : (apps.find((app) => app.id === id)?.name ?? id);
  };
  const matchesOf = ({ conditions, is_default: isDefault }: RefundPolicy): string => {
    if (isDefault) return 'All others';
    if (conditions.length === 0) return 'Every request';
    return conditions.map((condition) => conditionWords(condition, nameOf)).join('; ');
  };
  const columns: Column<RefundPolicy>[] = [
    {
      id: 'name',
      header: 'Policy',
      priority: 1,
      cell: (policy) => <DataText truncate>{policy.display_name}</DataText>,
    },
    {
      id: 'matches',
      header: 'Matches',
      width: 'minmax(0, 2fr)',
      cell: (policy) => <DataText truncate>{matchesOf(policy)}</DataText>,
    },
    {
      id: 'stores',
      header: 'Stores',
      width: '11rem',
      priority: 3,
      cell: ({ stores }) => stores.map((store) => storeLabels[store]).join(', '),
    },
    {
      id: 'answer',
      header: 'Answer',
      width: '11rem',
      cell: ({ preference }) => preferenceLabels[preference],
    },
    {
      id: 'wait',
      header: 'Waits',
      width: '10.5rem',
      priority: 3,
      cell: ({ hold_minutes: minutes }) =>
        minutes === 0 ? <span className="text-muted">No</span> : formatPeriod(locale, isoMinutes(minutes)),
    },
    {
      id: 'actions',
      header: <span className="sr-only">Edit</span>,
      width: '3rem',
      align: 'end',
      priority: 1,
      cell: (policy) => (
        <Menu
          iconOnly
          size="sm"
          label={`Actions for ${visibleText(policy.display_name)}`}
          items={itemsOf(policy)}
        />
      ),
    },
  ];
  return (
    <Panel
      title="Policies"
      description="The first policy that matches decides."
      padded={false}
      actions={
        <Button
          icon="plus"
          disabledReason={mayCreate.reason}
          onClick={() => setOpen({ action: 'edit', policy: null })}
        >
          Add policy
        </Button>
      }
    >
      <QueryPanel query={policies} queryKey={query.queryKey} skeleton={<SkeletonRows />}>
        {(rows) => <DataList label="Policies" rows={rows} columns={columns} rowKey={({ id }) => id} />}
      </QueryPanel>
      <div className="border-t border-line px-4 py-3">
        <PolicyPreview projectId={projectId} />
      </div>
      {open?.action === 'edit' && (
        <PolicyDialog projectId={projectId} policy={open.policy} onClose={() => setOpen(null)} />
      )}
      {open?.action === 'delete' && open.policy && (
        <DeletePolicyDialog projectId={projectId} policy={open.policy} onClose={() => setOpen(null)} />
      )}
    </Panel>
  );
}
