import { useMay } from '../api/permissions.js';
import { jobs } from '../frame/jobs/jobs.js';
import { Menu } from '../ui/overlays/menu.js';
import { visibleText } from '../ui/text/visible-text.js';
import { text as actions } from './actions/actions.text.js';
import { exportCustomer } from './actions/export-customer.js';
import { useCustomer } from './customer-context.js';
import type { Summary } from './customers.queries.js';
import { text } from './customers.text.js';

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
    jobs.start({ name: actions.export.job(visibleText(id)), by: 'browser' }, ({ signal }) =>
      exportCustomer(projectId, id, signal),
    );
  const isBlocked = summary?.blocked === true;
  return (
    <Menu
      label={text.page.actions}
      items={[
        {
          label: actions.grant.menu,
          icon: 'gift',
          disabledReason: grant.reason,
          onSelect: () => open({ kind: 'grant' }),
        },
        {
          label: actions.restore.menu,
          icon: 'undo',
          disabledReason: restore.reason,
          onSelect: () => open({ kind: 'restore' }),
        },
        {
          label: actions.transfer.menu,
          icon: 'transfer',
          disabledReason: transfer.reason,
          onSelect: () => open({ kind: 'transfer' }),
        },
        {
          label: actions.offering.menu,
          icon: 'layers',
          disabledReason: offering.reason,
          onSelect: () => open({ kind: 'offering' }),
        },
        {
          label: actions.balance.menu,
          icon: 'coins',
          disabledReason: balance.reason,
          onSelect: () => open({ kind: 'balance' }),
        },
        {
          label: actions.export.menu,
          icon: 'download',
          disabledReason: exporting.reason,
          onSelect: startExport,
          separator: true,
        },
        {
          label: isBlocked ? actions.unblock.menu : actions.block.menu,
          icon: 'ban',
          disabledReason: isBlocked ? unblock.reason : block.reason,
          onSelect: () => open({ kind: isBlocked ? 'unblock' : 'block' }),
        },
        {
          label: actions.remove.menu,
          icon: 'trash',
          danger: true,
          disabledReason: remove.reason,
          onSelect: () => open({ kind: 'delete' }),
        },
      ]}
    />
  );
}
