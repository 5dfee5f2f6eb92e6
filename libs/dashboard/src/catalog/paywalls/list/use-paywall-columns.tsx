import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../api/permissions.js';
import { useEnvironment } from '../../../frame/environment.js';
import { useNow } from '../../../ui/format/format-context.js';
import { Num } from '../../../ui/format/money.js';
import { Time } from '../../../ui/format/time.js';
import type { Column } from '../../../ui/lists/data-list.js';
import type { MenuItem } from '../../../ui/overlays/menu.js';
import { DataText } from '../../../ui/text/data-text.js';
import { actionsColumn } from '../../columns.js';
import type { Paywall } from '../paywall.types.js';
import { paywallFiguresQuery } from './paywall-figures.queries.js';
import { PaywallProblems, PaywallStatus } from './paywall-status.js';

/** Columns of the list. Figures are those of the chosen environment. */
export function usePaywallColumns(
  projectId: string,
  itemsFor: (paywall: Paywall) => MenuItem[],
): Column<Paywall>[] {
  const { filter } = useEnvironment();
  const maySeeFigures = useMay('getChart').allowed;
  const query = paywallFiguresQuery(projectId, filter ?? 'production', useNow());
  const { data: figures } = useQuery({ ...query, enabled: maySeeFigures });
  const figuresOf = ({ id }: Paywall) => figures && (figures.get(id) ?? { viewers: 0, converted: null });
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(10rem, 2fr)',
      priority: 1,
      cell: (each) => (
        <span className="flex min-w-0 items-center gap-2">
          <DataText truncate>{each.name}</DataText>
          <PaywallProblems paywall={each} />
        </span>
      ),
    },
    {
      id: 'offering',
      header: 'Offering',
      cell: ({ offering }) => <DataText truncate>{offering?.display_name}</DataText>,
    },
    {
      id: 'status',
      header: 'Status',
      width: '11.5rem',
      priority: 2,
      cell: (each) => <PaywallStatus paywall={each} />,
    },
    {
      id: 'published',
      header: 'Published',
      width: '7rem',
      priority: 3,
      cell: ({ published_at: at }) => <Time ms={at} />,
    },
    ...(maySeeFigures
      ? [
          {
            id: 'viewers',
            header: 'Viewers (30 days)',
            width: '8rem',
            align: 'end' as const,
            priority: 3 as const,
            cell: (each: Paywall) => <Num value={figuresOf(each)?.viewers} />,
          },
          {
            id: 'converted',
            header: 'Converted (30 days)',
            width: '9rem',
            align: 'end' as const,
            priority: 3 as const,
            cell: (each: Paywall) => <Num value={figuresOf(each)?.converted} percent />,
          },
        ]
      : []),
    actionsColumn(({ name }) => name, itemsFor),
  ];
}
