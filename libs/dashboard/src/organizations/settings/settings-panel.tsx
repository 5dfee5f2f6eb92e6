import type { Organization } from '../../api/enterprise.types.js';
import { useOrganizationMay } from '../../api/organization.js';
import { useDirtyForm } from '../../frame/forms/dirty-forms.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { useForm } from '../../frame/forms/use-form.js';
import { Button } from '../../ui/button.js';
import { FormActions, FormError, SaveState } from '../../ui/forms/form.js';
import { Panel } from '../../ui/panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { useToast } from '../../ui/overlays/toast.js';
import { useUpdateOrganization } from '../organizations.queries.js';
import { changesOf, problemOf, type SettingsPanelModel } from './settings-panels.js';
import { notLicensed } from '../labels.js';

interface SettingsPanelProps {
  organization: Organization;
  panel: SettingsPanelModel;
}

/**
 * Some settings of the organization. Fields that the person may not change or the licence does not include are
 * disabled, with the reason.
 */
export function SettingsPanel({ organization, panel }: SettingsPanelProps) {
  const update = useUpdateOrganization(organization.id);
  const may = useOrganizationMay(panel.role);
  const toast = useToast();
  const isLicensed = (feature: (typeof panel.fields)[number]['feature']) =>
    feature === undefined || organization.features.includes(feature);
  const reason =
    may.reason ?? (panel.fields.some(({ feature }) => isLicensed(feature)) ? null : notLicensedReason(panel));
  const { formProps, field, problem, values, isDirty } = useForm({
    initial: Object.fromEntries(panel.fields.map(({ name, value }) => [name, value])),
    check: (typed) =>
      Object.fromEntries(
        panel.fields.map((model) => [model.name, problemOf(model, typed[model.name] ?? '')]),
      ),
    write: update,
    onSubmit: (typed) => {
      if (reason === null)
        update.mutate(changesOf(panel.fields, typed), {
          onSuccess: () => toast({ title: 'Saved', tone: 'good' }),
        });
    },
  });
  useDirtyForm(isDirty);
  return (
    <Panel beside title={panel.title} description={panel.note}>
      <form {...formProps} className="grid max-w-xl gap-4">
        {panel.fields.map(({ name, label, hint, feature, options, kind }) => {
          const isOff = !may.allowed || !isLicensed(feature);
          const shared = {
            ...field(name),
            label,
            hint: feature !== undefined && !isLicensed(feature) ? notLicensed(feature) : hint,
          };
          return options ? (
            <SelectField key={name} {...shared} options={options} disabled={isOff} />
          ) : (
            <TextField
              key={name}
              {...shared}
              autoComplete="off"
              inputMode={kind === 'integer' ? 'numeric' : kind}
              readOnly={isOff}
            />
          );
        })}
        <FormError error={problem} />
        <FormActions>
          <Button type="submit" variant="primary" busy={update.isPending} disabledReason={reason}>
            Save
          </Button>
          <SaveState isDirty={isDirty} />
          <ShowCall
            operation="POST /v2/organizations/{org_id}"
            path={{ org_id: organization.id }}
            body={changesOf(panel.fields, values)}
          />
        </FormActions>
      </form>
    </Panel>
  );
}

function notLicensedReason({ fields }: SettingsPanelModel): string | null {
  const feature = fields.find((field) => field.feature !== undefined)?.feature;
  return feature === undefined ? null : notLicensed(feature);
}
