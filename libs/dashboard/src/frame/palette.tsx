import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { accountQuery } from '../api/account.queries.js';
import { api, call } from '../api/client.js';
import { allowanceIn, useProject } from '../api/permissions.js';
import { DataText } from '../ui/data-text.js';
import { Dialog } from '../ui/dialog.js';
import { Icon, type IconName } from '../ui/icons.js';
import { Time } from '../ui/time.js';
import { navigation } from './navigation.js';

const LOOKUP_AFTER_MS = 300;
const SHORTEST_LOOKUP = 3;

interface Choice {
  id: string;
  kind: 'Customer' | 'Page' | 'Project';
  icon: IconName;
  label: string;
  /** Last seen, for customers. */
  seenAtMs?: number | null;
  open: () => void;
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), LOOKUP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function useCustomers(projectId: string, typed: string) {
  const settled = useSettled(typed.trim());
  const mayLook = allowanceIn(useProject(), 'listCustomers').allowed;
  return useQuery({
    queryKey: [projectId, 'customers', 'lookup', settled],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/customers', {
          params: { path: { project_id: projectId }, query: { search: settled, limit: 8 } },
          signal,
        }),
      ),
    enabled: mayLook && settled.length >= SHORTEST_LOOKUP,
  });
}

/** One search box: customers by any id, e-mail or order, pages, and projects. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { projectId = '' } = useParams({ strict: false });
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  const project = useProject();
  const { data: account } = useQuery(accountQuery);
  const customers = useCustomers(projectId, typed);
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  const isWanted = (name: string) => name.toLowerCase().includes(wanted);

  const choices: Choice[] = [
    ...(typed.trim().length >= SHORTEST_LOOKUP ? (customers.data?.items ?? []) : []).map(
      (customer): Choice => ({
        id: `customer ${customer.id}`,
        kind: 'Customer',
        icon: 'user',
        label: customer.id,
        seenAtMs: customer.last_seen_at,
        open: () =>
          void navigate({
            to: '/projects/$projectId/customer',
            params: { projectId },
            search: { id: customer.id },
          }),
      }),
    ),
    ...navigation
      .flatMap(({ entries }) => entries)
      .filter(({ label, operation }) => isWanted(label) && allowanceIn(project, operation).allowed)
      .map(({ label, path }): Choice => ({
        id: `page ${path}`,
        kind: 'Page',
        icon: 'arrow-right',
        label,
        open: () =>
          void navigate({
            to: `/projects/$projectId${path}` as '/projects/$projectId/overview',
            params: { projectId },
          }),
      })),
    ...(account?.projects ?? [])
      .filter(({ id, name }) => wanted !== '' && id !== projectId && (isWanted(name) || isWanted(id)))
      .map(({ id, name }): Choice => ({
        id: `project ${id}`,
        kind: 'Project',
        icon: 'layers',
        label: name,
        open: () => void navigate({ to: '/projects/$projectId', params: { projectId: id } }),
      })),
  ];
  const current = Math.min(chosen, choices.length - 1);
  const open = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      setChosen((current + step + choices.length) % choices.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(choices[current]);
    }
  };
  const isLooking =
    customers.isFetching || (typed.trim().length >= SHORTEST_LOOKUP && customers.data === undefined);
  return (
    <Dialog open onClose={onClose} title="Search" size="md">
      <input
        data-autofocus
        role="combobox"
        aria-label="Customer id, e-mail, order id, or page"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={choices[current] ? `${listId}-${current}` : undefined}
        placeholder="Customer id, e-mail, order id, or page"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="h-10 w-full rounded-md border border-edge bg-panel px-3"
      />
      <ul id={listId} role="listbox" aria-label="Results" className="mt-3 flex min-h-40 flex-col gap-px">
        {choices.map((choice, index) => (
          <li
            key={choice.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => open(choice)}
            onMouseMove={() => setChosen(index)}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 aria-selected:bg-chosen"
          >
            <Icon name={choice.icon} className="shrink-0 text-muted" />
            <span className="min-w-0 truncate">
              <DataText>{choice.label}</DataText>
            </span>
            <span className="ms-auto shrink-0 text-sm text-muted">
              {choice.kind}
              {choice.seenAtMs && (
                <>
                  {', seen '}
                  <Time ms={choice.seenAtMs} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-sm text-muted">
        {isLooking && typed.trim().length >= SHORTEST_LOOKUP && 'Looking for customers…'}
        {customers.isError && customers.error.message}
        {!isLooking &&
          choices.length === 0 &&
          'Nothing found. Customers are found by their whole app user id, e-mail address, order id or transaction id.'}
      </p>
    </Dialog>
  );
}
