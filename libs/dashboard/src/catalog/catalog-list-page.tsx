import { type ComponentProps, type ReactNode, useState } from 'react';
import { useMay } from '../api/permissions.js';
import { Page } from '../frame/pages/page.js';
import { Button } from '../ui/button.js';
import { FilterBar } from '../ui/lists/filter-bar.js';
import { EmptyState, NoMatch } from '../ui/loading/empty-state.js';
import type { Loaded } from '../ui/loading/loaded.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SkeletonRows } from '../ui/loading/skeleton.js';
import { Panel } from '../ui/panel.js';
import { type CatalogObject, isArchived } from './catalog.types.js';
import { ChangeDialog } from './change-dialog.js';
import type { Action, Kind } from './labels.js';
import { StateFilter } from './state-filter.js';
import { useObjectItems } from './use-object-items.js';

type State = ComponentProps<typeof StateFilter>['state'];

interface CatalogListPageProps {
  title: string;
  note: string;
  create: { label: string; operation: string; onOpen: () => void };
  /** Buttons before the one that creates an object. */
  moreActions?: ReactNode;
  state: State;
  onStateChange: (state: State) => void;
  /** Filters besides the state. */
  filters?: ReactNode;
  filterCount: number;
  /** Encloses filter and list, for example in tabs. */
  enclose?: (content: ReactNode) => ReactNode;
  dialogs: ReactNode;
  /** The list; its empty state has the same button as the page. */
  children: (createButton: ReactNode) => ReactNode;
}

/** A page of the catalog that lists objects of one kind, with their filter by state and a button that creates one. */
export function CatalogListPage(props: CatalogListPageProps) {
  const {
    title,
    note,
    create,
    state,
    onStateChange,
    filters,
    filterCount,
    enclose,
    moreActions,
    dialogs,
    children,
  } = props;
  const mayCreate = useMay(create.operation);
  const button = (
    <Button variant="primary" icon="plus" disabledReason={mayCreate.reason} onClick={create.onOpen}>
      {create.label}
    </Button>
  );
  const content = (
    <>
      <FilterBar isLabelled count={filterCount}>
        <StateFilter state={state} onChange={onStateChange} />
        {filters}
      </FilterBar>
      <Panel padded={false}>{children(button)}</Panel>
    </>
  );
  return (
    <Page
      title={title}
      actions={
        <>
          {moreActions}
          {button}
        </>
      }
      note={note}
    >
      {enclose ? enclose(content) : content}
      {dialogs}
    </Page>
  );
}

interface WholeListProps<Row> {
  query: Loaded<Row[]>;
  queryKey: readonly unknown[];
  state: State;
  things: string;
  empty: ComponentProps<typeof EmptyState>;
  onClearFilters: () => void;
  children: (rows: Row[]) => ReactNode;
}

/** The rows with one state, of a query that loads all rows at once. */
export function WholeList<Row extends CatalogObject>(props: WholeListProps<Row>) {
  const { query, queryKey, state, things, empty, onClearFilters, children } = props;
  return (
    <QueryPanel query={query} queryKey={queryKey} skeleton={<SkeletonRows />}>
      {(all) => {
        if (all.length === 0) return <EmptyState {...empty} />;
        const rows = all.filter((row) => isArchived(row) === (state === 'archived'));
        if (rows.length === 0) return <NoMatch things={things} onClear={onClearFilters} />;
        return children(rows);
      }}
    </QueryPanel>
  );
}

/** Archiving and deletion of the objects of a list: menu items of a row, and the dialog that they open. */
export function useObjectChange(projectId: string, kind: Kind) {
  const [change, setChange] = useState<{ action: Action; object: CatalogObject } | null>(null);
  const itemsFor = useObjectItems(kind, (action, object) => setChange({ action, object }));
  const dialog = change && (
    <ChangeDialog projectId={projectId} kind={kind} {...change} onClose={() => setChange(null)} />
  );
  return { itemsFor, dialog };
}
