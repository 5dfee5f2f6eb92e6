import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { DataList } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { Num } from '../ui/format/money.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { useCustomer } from './customer-context.js';
import { balancesQuery } from './customers.queries.js';
import { NeedsPermission } from './needs-permission.js';

/** The customer's balances of virtual currencies. */
export function BalancesTab() {
  const { projectId, id, open } = useCustomer();
  const mayRead = useMay('listCustomerBalances');
  const mayAdjust = useMay('createVirtualCurrencyTransaction');
  const options = balancesQuery(projectId, id);
  const query = useQuery({ ...options, enabled: mayRead.allowed });
  if (!mayRead.allowed) return <NeedsPermission reason={mayRead.reason} />;
  return (
    <QueryPanel query={query} queryKey={options.queryKey}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState sentence="The project has no virtual currency." />
        ) : (
          <DataList
            label="Balances"
            rows={items}
            rowKey={(balance) => balance.currency_code}
            columns={[
              {
                id: 'currency',
                header: 'Currency',
                cell: ({ name, currency_code: code }) => (
                  <>
                    <DataText>{name}</DataText> <DataText mono>{code}</DataText>
                  </>
                ),
              },
              {
                id: 'balance',
                header: 'Balance',
                align: 'end',
                width: '10rem',
                cell: ({ balance }) => <Num value={balance} />,
              },
              {
                id: 'adjust',
                header: <span className="sr-only">Adjust</span>,
                align: 'end',
                width: '7rem',
                cell: ({ currency_code: code }) => (
                  <Button
                    size="sm"
                    aria-label={`Adjust ${code}`}
                    disabledReason={mayAdjust.reason}
                    onClick={() => open({ kind: 'balance', code })}
                  >
                    Adjust
                  </Button>
                ),
              },
            ]}
          />
        )
      }
    </QueryPanel>
  );
}
