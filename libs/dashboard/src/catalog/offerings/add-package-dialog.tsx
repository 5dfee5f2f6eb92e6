import { useState } from 'react';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { Offering } from '../catalog.types.js';
import { useCreatePackage } from './offerings.queries.js';

const knownPackages = [
  ['$rc_monthly', 'Monthly'],
  ['$rc_annual', 'Annual'],
  ['$rc_weekly', 'Weekly'],
  ['$rc_two_month', 'Two months'],
  ['$rc_three_month', 'Three months'],
  ['$rc_six_month', 'Six months'],
  ['$rc_lifetime', 'Lifetime'],
] as const;

interface AddPackageDialogProps {
  projectId: string;
  offering: Offering;
  onClose: () => void;
}

export function AddPackageDialog({ projectId, offering, onClose }: AddPackageDialogProps) {
  const create = useCreatePackage(projectId, offering.id);
  const used = new Set(offering.packages?.items.map((item) => item.lookup_key));
  const free = knownPackages.filter(([key]) => !used.has(key));
  const [first] = free;
  const [kind, setKind] = useState<string>(first?.[0] ?? '');
  const form = useForm({
    initial: { lookup_key: first?.[0] ?? '', display_name: first?.[1] ?? '' },
    check: ({ lookup_key: key, display_name: name }) => ({
      lookup_key: key.trim() === '' ? 'Enter a lookup key.' : null,
      display_name: name.trim() === '' ? 'Enter a name.' : null,
    }),
    write: create,
    onSubmit: (body) => create.mutate(body, { onSuccess: onClose }),
  });
  const choose = (key: string) => {
    setKind(key);
    form.set('lookup_key', key);
    form.set('display_name', knownPackages.find(([known]) => known === key)?.[1] ?? '');
  };
  return (
    <FormDialog
      title="Add package"
      size="sm"
      form={form}
      submit="Add package"
      call={{
        operation: 'POST /v2/projects/{project_id}/offerings/{offering_id}/packages',
        path: { project_id: projectId, offering_id: offering.id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Package"
        value={kind}
        onChange={({ target }) => choose(target.value)}
        options={[
          ...free.map(([value, label]) => ({ value, label: `${label} (${value})` })),
          { value: '', label: 'Other' },
        ]}
      />
      <TextField
        label="Lookup key"
        hint="Your app finds the package by this key. Cannot be changed later."
        mono
        autoComplete="off"
        readOnly={kind !== ''}
        {...form.field('lookup_key')}
      />
      <TextField label="Name" autoComplete="off" {...form.field('display_name')} />
    </FormDialog>
  );
}
