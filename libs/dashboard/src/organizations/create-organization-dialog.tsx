import { useNavigate } from '@tanstack/react-router';
import type { Region } from '../api/enterprise.types.js';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { useCreateOrganization } from './organizations.queries.js';
import { regionNames } from './labels.js';

const regions = Object.entries(regionNames).map(([value, label]) => ({ value, label }));

export function CreateOrganizationDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateOrganization();
  const navigate = useNavigate();
  const toast = useToast();
  const bodyOf = ({ name, region }: { name: string; region: string }) => ({
    name,
    ...(region === '' ? {} : { region: region as Region }),
  });
  const form = useForm({
    initial: { name: '', region: '' },
    check: ({ name }) => ({ name: name.trim() === '' ? 'Give the organization a name.' : null }),
    write: create,
    onSubmit: (values) =>
      create.mutate(bodyOf(values), {
        onSuccess: ({ id, name }) => {
          toast({ title: `Created ${visibleText(name)}`, tone: 'good' });
          onClose();
          void navigate({ to: '/organizations/$orgId/overview', params: { orgId: id } });
        },
      }),
  });
  return (
    <FormDialog
      title="New organization"
      form={form}
      submit="Create"
      call={{ operation: 'POST /v2/organizations', body: bodyOf(form.values) }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...form.field('name')} />
      <SelectField
        label="Region"
        hint="Where its data must be stored."
        placeholder="The region of this server"
        options={regions}
        {...form.field('region')}
      />
    </FormDialog>
  );
}
