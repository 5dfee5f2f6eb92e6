import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/permissions.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { TextField } from '../../ui/forms/text-field.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { Menu } from '../../ui/overlays/menu.js';
import { visibleText } from '../../ui/text/visible-text.js';
import {
  apiFilters,
  type CustomersSearch,
  filterNames,
  type Filters,
  savedFilters,
} from './customer-filters.js';
import { type SavedList, savedListsQuery, useDeleteList, useSaveList } from './saved-lists.queries.js';

interface SavedListsProps {
  projectId: string;
  /** The list on the page. */
  shown: CustomersSearch & { filters: Filters };
  onOpen: (search: CustomersSearch) => void;
}

/** Opens, saves and deletes lists of the project. */
export function SavedLists({ projectId, shown, onOpen }: SavedListsProps) {
  const lists = useQuery(savedListsQuery(projectId));
  const maySave = useMay('createCustomerList');
  const [isSaving, setIsSaving] = useState(false);
  const [deleting, setDeleting] = useState<SavedList | null>(null);
  const isSame = (list: SavedList) =>
    JSON.stringify(searchOf(list)) === JSON.stringify(searchOf(asList(shown)));
  const current = lists.data?.find(isSame);
  const open = (list: SavedList) => {
    const none = Object.fromEntries(['q', ...filterNames].map((name) => [name, undefined]));
    onOpen({ ...none, ...searchOf(list) });
  };
  return (
    <>
      <Menu
        label={current ? visibleText(current.display_name) : 'Saved lists'}
        icon="list"
        items={[
          ...(lists.data ?? []).map((list) => ({
            label: visibleText(list.display_name),
            checked: list.id === current?.id,
            onSelect: () => open(list),
          })),
          {
            label: 'Save this list',
            icon: 'plus' as const,
            separator: true,
            disabledReason: maySave.reason,
            onSelect: () => setIsSaving(true),
          },
          ...(current
            ? [
                {
                  label: `Delete ${visibleText(current.display_name)}`,
                  icon: 'trash' as const,
                  danger: true,
                  disabledReason: maySave.reason,
                  onSelect: () => setDeleting(current),
                },
              ]
            : []),
        ]}
      />
      {isSaving && <SaveDialog projectId={projectId} shown={shown} onClose={() => setIsSaving(false)} />}
      {deleting && <DeleteDialog projectId={projectId} list={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

/** The search parameters of the page that show a list. */
function searchOf({ filters, sort, order }: Pick<SavedList, 'filters' | 'sort' | 'order'>): CustomersSearch {
  return { ...savedFilters(filters), sort, order };
}

function asList({ q, filters, sort = 'last_seen', order = 'desc' }: SavedListsProps['shown']) {
  const given = Object.entries(apiFilters(filters, q)).filter(([, value]) => value !== undefined);
  return { filters: Object.fromEntries(given.map(([name, value]) => [name, String(value)])), sort, order };
}

interface SaveDialogProps extends Omit<SavedListsProps, 'onOpen'> {
  onClose: () => void;
}

function SaveDialog({ projectId, shown, onClose }: SaveDialogProps) {
  const save = useSaveList(projectId);
  const list = asList(shown);
  const form = useForm({
    initial: { display_name: '' },
    check: (values) => ({ display_name: values.display_name.trim() === '' ? 'Enter a name.' : null }),
    write: save,
    onSubmit: (body) => save.mutate({ ...body, ...list }, { onSuccess: onClose }),
  });
  return (
    <FormDialog
      title="Save this list"
      size="sm"
      form={form}
      submit="Save"
      call={{
        operation: 'createCustomerList',
        path: { project_id: projectId },
        body: { ...form.values, ...list },
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Everyone in the project can open the list."
        autoComplete="off"
        {...form.field('display_name')}
      />
    </FormDialog>
  );
}

interface DeleteDialogProps {
  projectId: string;
  list: SavedList;
  onClose: () => void;
}

function DeleteDialog({ projectId, list, onClose }: DeleteDialogProps) {
  const remove = useDeleteList(projectId);
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${visibleText(list.display_name)}?`}
      confirmLabel="Delete"
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => remove.mutate(list.id, { onSuccess: onClose })}
    >
      The saved filters are deleted for everyone. The customers stay.
    </ConfirmDialog>
  );
}
