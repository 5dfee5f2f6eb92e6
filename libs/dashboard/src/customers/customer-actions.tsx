import { useMay } from '../api/permissions.js';
import { jobs } from '../frame/jobs/jobs.js';
import { Menu } from '../ui/overlays/menu.js';
import { visibleText } from '../ui/text/visible-text.js';
import { exportCustomer } from './actions/export-customer.js';
import { useCustomer } from './customer-context.js';
import type { Summary } from './customers.queries.js';

/** All actions on the customer. Actions on one purchase are next to it. */
export function CustomerActions({ summary }: { summary: Summary | undefined }) {
  const { projectId, id, open } = useCustomer();
  const grant = useMay('grantEntitlement');
  const offering = useMay('assignOffering');
  const transfer = useMay('transferCustomer');
  const restore = useMay('restorePurchaseByOrderId');
  const balance = useMay('createVirtualCurrencyTransaction');
  const block = useMay('blockCustomer');
  const unblock = useMay('unblockCustomer');
  const exporting = useMay('exportCustomer');
  const remove = useMay('deleteCustomer');
  const startExport = () =>
    jobs.start({ name: `Export of ${visibleText(id)}`, by: 'browser' }, ({ signal }) =>
      exportCustomer(projectId, id, signal),
    );
  const isBlocked = summary?.blocked === true;
  return (
    <Menu
      label="Actions"
      items={[
        {
          label: 'Grant an entitlement',
          icon: 'gift',
          disabledReason: grant.reason,
          onSelect: () => open({ kind: 'grant' }),
        },
        {
          label: 'Restore by order id',
          icon: 'undo',
          disabledReason: restore.reason,
          onSelect: () => open({ kind: 'restore' }),
        },
        {
          label: 'Transfer purchases',
          icon: 'transfer',
          disabledReason: transfer.reason,
          onSelect: () => open({ kind: 'transfer' }),
        },
        {
          label: 'Assign an offering',
          icon: 'layers',
          disabledReason: offering.reason,
          onSelect: () => open({ kind: 'offering' }),
        },
        {
          label: 'Adjust a balance',
          icon: 'coins',
          disabledReason: balance.reason,
          onSelect: () => open({ kind: 'balance' }),
        },
        {
          label: 'Export data',
          icon: 'download',
          disabledReason: exporting.reason,
          onSelect: startExport,
          separator: true,
        },
        {
          label: isBlocked ? 'Unblock' : 'Block',
          icon: 'ban',
          disabledReason: isBlocked ? unblock.reason : block.reason,
          onSelect: () => open({ kind: isBlocked ? 'unblock' : 'block' }),
        },
        {
          label: 'Delete customer',
          icon: 'trash',
          danger: true,
          disabledReason: remove.reason,
          onSelect: () => open({ kind: 'delete' }),
        },
      ]}
    />
  );
}
