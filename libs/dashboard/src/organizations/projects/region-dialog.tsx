import type { OrganizationProject } from '../../api/enterprise.types.js';
import { useOrganization } from '../../api/organization.js';
import { FormDialog } from '../../frame/forms/form-dialog.js';
import { useForm } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { regionOptions } from '../region-options.js';
import { useChangeRegion } from './projects.queries.js';

interface RegionDialogProps {
  orgId: string;
  project: OrganizationProject;
  onClose: () => void;
}

export function RegionDialog({ orgId, project, onClose }: RegionDialogProps) {
  const organization = useOrganization();
  const change = useChangeRegion(orgId, project.id);
  const toast = useToast();
  const name = visibleText(project.name);
  const form = useForm({
    initial: { region: project.region },
    write: change,
    onSubmit: (values) =>
      change.mutate(values, {
        onSuccess: (changed) => {
          toast({ title: `The region of ${name} is ${changed.region_name}`, tone: 'good' });
          onClose();
        },
      }),
  });
  return (
    <FormDialog
      title={`Region of ${name}`}
      effect="Records where the data of the project must be stored. Does not move any data."
      form={form}
      submit="Save"
      call={{
        operation: 'POST /v2/organizations/{org_id}/projects/{project_id}/region',
        path: { org_id: orgId, project_id: project.id },
        body: form.values,
      }}
      onClose={onClose}
    >
      <SelectField
        label="Region"
        options={regionOptions(organization, project.region)}
        {...form.field('region')}
      />
    </FormDialog>
  );
}
