import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useFields } from '../frame/forms/use-fields.js';
import { RadioCards } from '../ui/forms/choice.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { type AppType, useCreateApp } from './apps.queries.js';
import { storeNames, text } from './apps.text.js';
import { fieldError } from './field-error.js';
import { identifierFieldOf } from './store-identifier.js';

type OfferedType = keyof typeof text.typeHints;

const types = Object.keys(text.typeHints) as OfferedType[];

interface NewApp {
  name: string;
  type: string;
  bundle_id: string;
  package_name: string;
}

function bodyOf({ name, type: chosen, ...identifiers }: NewApp) {
  const type = chosen as AppType;
  const field = identifierFieldOf(type);
  return { name, type, ...(field && { [type]: { [field]: identifiers[field].trim() } }) };
}

/** Creates an app and opens the next step of its store's setup. */
export function CreateAppDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const create = useCreateApp(projectId);
  const navigate = useNavigate();
  const toast = useToast();
  const fields = useFields({
    initial: { name: '', type: 'app_store', bundle_id: '', package_name: '' },
    check: ({ name, type, ...identifiers }) => {
      const field = identifierFieldOf(type as AppType);
      return {
        name: name.trim() === '' ? text.nameMissing : null,
        ...(field && { [field]: identifiers[field].trim() === '' ? text.identifierMissing : null }),
      };
    },
    error: fieldError(create.error),
    busy: create.isPending,
    onSubmit: (values) =>
      create.mutate(bodyOf(values), {
        onSuccess: ({ id, name, type }) => {
          toast({ title: text.created(visibleText(name)), tone: 'good' });
          const search = type === 'test_store' ? {} : { tab: 'store' };
          void navigate({
            to: '/projects/$projectId/apps/$appId',
            params: { projectId, appId: id },
            search,
          });
        },
      }),
  });
  const type = fields.values.type as AppType;
  const identifier = identifierFieldOf(type);
  return (
    <FormDialog
      title={text.create}
      effect={text.createEffect}
      fields={fields}
      submit={text.createSubmit}
      busy={create.isPending}
      error={create.error}
      call={{
        operation: 'POST /v2/projects/{project_id}/apps',
        path: { project_id: projectId },
        body: bodyOf(fields.values),
      }}
      onClose={onClose}
    >
      <RadioCards
        label={text.type}
        columns={2}
        options={types.map((value) => ({ value, label: storeNames[value], hint: text.typeHints[value] }))}
        value={type as OfferedType}
        onChange={(value) => fields.set('type', value)}
      />
      <TextField label={text.name} hint={text.nameHint} autoComplete="off" {...fields.field('name')} />
      {identifier === 'bundle_id' && (
        <TextField
          label={text.bundleId}
          hint={text.bundleIdHint}
          mono
          autoComplete="off"
          {...fields.field('bundle_id')}
        />
      )}
      {identifier === 'package_name' && (
        <TextField
          label={text.packageName}
          hint={text.packageNameHint}
          mono
          autoComplete="off"
          {...fields.field('package_name')}
        />
      )}
    </FormDialog>
  );
}
