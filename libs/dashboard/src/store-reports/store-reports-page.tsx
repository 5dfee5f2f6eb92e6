import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { asCallError } from '../api/call-error.js';
import { Page } from '../frame/pages/page.js';
import { CsvButton } from '../ui/csv-button.js';
import { download } from '../ui/format/download.js';
import { SelectField } from '../ui/forms/select-field.js';
import { FilterBar, setCount } from '../ui/lists/filter-bar.js';
import { useToast } from '../ui/overlays/toast.js';
import { Panel } from '../ui/panel.js';
import { Tabs } from '../ui/tabs.js';
import { reportStateOrder, reportStates } from './labels.js';
import { lastMonths } from './months.js';
import { MonthsList } from './months-list.js';
import { ReportingNote } from './reporting-note.js';
import { ReportsList } from './reports-list.js';
import { saveMonths, saveTokens } from './store-reports-csv.js';
import { monthCsv, monthsQuery } from './store-reports.queries.js';
import { TokensList } from './tokens-list.js';

const route = getRouteApi('/signed-in/projects/$projectId/store-reports');

/** Saves the reports of one month, the current one if none is chosen. */
function DownloadButton({ projectId, month }: { projectId: string; month: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const toast = useToast();
  const save = async () => {
    setIsBusy(true);
    try {
      download(`store-reports-${month}.csv`, await monthCsv(projectId, month), 'text/csv');
    } catch (error) {
      toast({ tone: 'bad', title: 'The download failed', description: asCallError(error).message });
    } finally {
      setIsBusy(false);
    }
  };
  return <CsvButton busy={isBusy} onClick={() => void save()} />;
}

/** Saves the months on the page, once they are loaded. */
function MonthsCsvButton({ projectId }: { projectId: string }) {
  const { data } = useQuery(monthsQuery(projectId));
  return (
    <CsvButton
      disabledReason={data ? null : 'The months are loading.'}
      onClick={() => saveMonths(data?.items ?? [])}
    />
  );
}

const states = reportStateOrder.map((value) => ({ value, label: reportStates[value].label }));

/** Reports to Apple and Google about purchases outside their stores, and the tokens for them. */
export default function StoreReportsPage() {
  const { projectId } = route.useParams();
  const { tab = 'reports', state, month } = route.useSearch();
  const navigate = route.useNavigate();
  const [months] = useState(() => lastMonths(Date.now()));
  // Links may name an older month.
  const choices = month === undefined || months.includes(month) ? months : [month, ...months];
  const filter = { state, month };
  return (
    <Page
      title="Store reports"
      inTurn
      note="Purchases made outside the stores that must be reported to Apple and Google."
      actions={
        tab === 'months' ? (
          <MonthsCsvButton projectId={projectId} />
        ) : tab === 'tokens' ? (
          <CsvButton onClick={() => saveTokens(projectId)} />
        ) : (
          <DownloadButton projectId={projectId} month={month ?? months[0] ?? ''} />
        )
      }
    >
      <ReportingNote projectId={projectId} />
      <Tabs
        label="Store reports"
        value={tab}
        tabs={[
          { id: 'reports', label: 'Reports' },
          { id: 'months', label: 'Months' },
          { id: 'tokens', label: 'Tokens' },
        ]}
        onChange={(id) => void navigate({ search: id === 'reports' ? {} : { tab: id }, replace: true })}
      >
        <Panel padded={false}>
          {tab === 'months' && <MonthsList projectId={projectId} />}
          {tab === 'tokens' && <TokensList projectId={projectId} />}
          {tab === 'reports' && (
            <>
              <FilterBar count={setCount(filter)} isLabelled className="border-b border-line px-4 py-3">
                <SelectField
                  label="State"
                  size="sm"
                  className="w-40"
                  placeholder="All states"
                  value={state ?? ''}
                  onChange={({ target: { value } }) =>
                    void navigate({
                      search: { state: states.find((one) => one.value === value)?.value, month },
                      replace: true,
                    })
                  }
                  options={states}
                />
                <SelectField
                  label="Month"
                  size="sm"
                  className="w-40"
                  placeholder="All months"
                  value={month ?? ''}
                  onChange={({ target: { value } }) =>
                    void navigate({ search: { state, month: value || undefined }, replace: true })
                  }
                  options={choices.map((value) => ({ value, label: value }))}
                />
              </FilterBar>
              <ReportsList
                projectId={projectId}
                filter={filter}
                onClearFilters={() => void navigate({ search: {} })}
              />
            </>
          )}
        </Panel>
      </Tabs>
    </Page>
  );
}
