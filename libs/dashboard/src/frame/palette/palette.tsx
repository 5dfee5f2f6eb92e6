import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { accountQuery } from '../../api/account.queries.js';
import { allowanceIn, useProject } from '../../api/permissions.js';
import { DataText } from '../../ui/text/data-text.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { Icon, type IconName } from '../../ui/icons.js';
import { Time } from '../../ui/format/time.js';
import { navigation } from '../navigation/navigation.js';
import { useCustomerLookup } from './palette-customers.js';

interface Choice {
  id: string;
  kind: 'Customer' | 'Page' | 'Project' | 'Search';
  icon: IconName;
  label: string;
  /** For customers: their access, and when they were last seen. */
  access?: string | null;
  seenAtMs?: number | null;
  open: () => void;
}

/** A search box for customers (by any id, email or order), pages and projects. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { projectId = '' } = useParams({ strict: false });
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  const project = useProject();
  const { data: account } = useQuery(accountQuery);
  const customers = useCustomerLookup(projectId, typed);
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  /** The customers page explains what was searched, and offers to look up an order at the store. */
  const searchAgain = (q: string): Choice => ({
    id: 'search',
    kind: 'Search',
    icon: 'search',
    label: `No customer for ${q}: see what was tried`,
    open: () => void navigate({ to: '/projects/$projectId/customers', params: { projectId }, search: { q } }),
  });
  const isWanted = (name: string) => name.toLowerCase().includes(wanted);

  const choices: Choice[] = [
    ...customers.found.map(({ id, seenAtMs, access }): Choice => ({
      id: `customer ${id}`,
      kind: 'Customer',
      icon: 'user',
      label: id,
      seenAtMs,
      access,
      open: () =>
        void navigate({ to: '/projects/$projectId/customer', params: { projectId }, search: { id } }),
    })),
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
    ...(customers.isNone ? [searchAgain(typed.trim())] : []),
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
  return (
    <Dialog open onClose={onClose} title="Search" size="md">
      <input
        data-autofocus
        role="combobox"
        aria-label="Customer id, email, order id, or page"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={choices[current] ? `${listId}-${current}` : undefined}
        placeholder="Customer id, email, order id, or page"
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
              {choice.access && (
                <>
                  {', '}
                  <DataText>{choice.access}</DataText>
                </>
              )}
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
        {customers.isLooking && 'Looking for customers…'}
        {customers.error?.message}
        {!customers.isLooking &&
          customers.found.length === 0 &&
          typed.trim() !== '' &&
          (customers.isNone || choices.length === 0) &&
          'Customers are found by their whole app user id, email address, order id or transaction id.'}
      </p>
    </Dialog>
  );
}
