import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { Menu } from '../../ui/overlays/menu.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { ChartOnPage } from '../use-chart.js';
import { type SavedChart, savedChartsQuery } from './saved-charts.queries.js';
import { isSameQuestion, parametersOf, searchOf } from './saved-question.js';

const SaveDialog = lazy(() =>
  import('./saved-dialogs.js').then((module) => ({ default: module.SaveDialog })),
);
const RenameDialog = lazy(() =>
  import('./saved-dialogs.js').then((module) => ({ default: module.RenameDialog })),
);
const DeleteDialog = lazy(() =>
  import('./saved-dialogs.js').then((module) => ({ default: module.DeleteDialog })),
);

type Open = { kind: 'save' } | { kind: 'rename' | 'delete'; chart: SavedChart } | null;

/** Opens, saves, renames and deletes saved charts. */
export function SavedChartsMenu({ page }: { page: ChartOnPage }) {
  const { projectId, chart, listed, state, currency } = page;
  const { env } = useSearch({ strict: false });
  const navigate = useNavigate();
  const saved = useQuery(savedChartsQuery(projectId));
  const maySave = useMay('createSavedChart');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  // A copied link names the currency too.
  const parameters = parametersOf({ ...state, env, currency: listed?.isWithoutMoney ? undefined : currency });
  const current = saved.data?.find(
    (one) => one.chart_name === chart && isSameQuestion(one.parameters, parameters),
  );
  return (
    <>
      <Menu
        label={current ? visibleText(current.display_name) : 'Saved charts'}
        icon="list"
        items={[
          ...(saved.data ?? []).map((one) => ({
            label: visibleText(one.display_name),
            hint: one.visibility === 'private' ? 'Only you' : undefined,
            checked: one.id === current?.id,
            onSelect: () =>
              void navigate({
                to: '/projects/$projectId/charts/$chart',
                params: { projectId, chart: one.chart_name },
                search: searchOf(one.parameters),
              }),
          })),
          {
            label: 'Save this chart',
            icon: 'plus' as const,
            separator: true,
            disabledReason: maySave.reason,
            onSelect: () => setOpen({ kind: 'save' }),
          },
          ...(current
            ? [
                {
                  label: `Rename ${visibleText(current.display_name)}`,
                  icon: 'edit' as const,
                  disabledReason: maySave.reason,
                  onSelect: () => setOpen({ kind: 'rename', chart: current }),
                },
                {
                  label: `Delete ${visibleText(current.display_name)}`,
                  icon: 'trash' as const,
                  danger: true,
                  disabledReason: maySave.reason,
                  onSelect: () => setOpen({ kind: 'delete', chart: current }),
                },
              ]
            : []),
          {
            label: 'Open the board',
            icon: 'chart' as const,
            separator: true,
            href: `/projects/${projectId}/board`,
          },
        ]}
      />
      <Suspense>
        {open?.kind === 'save' && (
          <SaveDialog projectId={projectId} chart={chart} parameters={parameters} onClose={close} />
        )}
        {open?.kind === 'rename' && <RenameDialog projectId={projectId} chart={open.chart} onClose={close} />}
        {open?.kind === 'delete' && <DeleteDialog projectId={projectId} chart={open.chart} onClose={close} />}
      </Suspense>
    </>
  );
}
