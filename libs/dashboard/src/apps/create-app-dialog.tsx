import { useNavigate } from '@tanstack/react-router';
import { FormDialog } from '../frame/forms/form-dialog.js';
import { useForm } from '../frame/forms/use-form.js';
import { RadioCards } from '../ui/forms/choice.js';
import { TextField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { visibleText } from '../ui/text/visible-text.js';
import { useCreateApp } from './apps.queries.js';
import { storeParam } from './store-param.js';
import { identifierFieldOf } from './store-identifier.js';
import { storeName } from '../api/words.js';

const typeHints = {
  app_store: 'iPhone, iPad, Apple TV, Apple Watch and Vision apps.',
  mac_app_store: 'Mac apps that are sold on their own.',
  play_store: 'Android apps from Google Play.',
  amazon: 'Fire OS and Android apps from Amazon.',
  paddle: 'What you sell on the web through Paddle Billing.',
  roku: 'Channels for Roku players and TVs.',
  stripe: 'What you sell on the web with your own Stripe account.',
  test_store: 'Try everything without a store account.',
};

type OfferedType = keyof typeof typeHints;

const types = Object.keys(typeHints) as OfferedType[];

interface NewApp {
  name: string;
  type: OfferedType;
  bundle_id: string;
  package_name: string;
}

const initial: NewApp = { name: '', type: 'app_store', bundle_id: '', package_name: '' };

function bodyOf({ name, type, ...identifiers }: NewApp) {
  const field = identifierFieldOf(type);
  return { name, type, ...(field && { [type]: { [field]: identifiers[field].trim() } }) };
}

/** Creates an app and opens the next step of its store's setup. */
export function CreateAppDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const create = useCreateApp(projectId);
  const navigate = useNavigate();
  const toast = useToast();
  const form = useForm({
    initial,
    check: ({ name, type, ...identifiers }) => {
      const field = identifierFieldOf(type);
      return {
        name: name.trim() === '' ? 'Enter a name.' : null,
        ...(field && {
          [field]: identifiers[field].trim() === '' ? 'Enter it exactly as in the store.' : null,
        }),
      };
    },
    write: create,
    paramOf: storeParam,
    onSubmit: (values) =>
      create.mutate(bodyOf(values), {
        onSuccess: ({ id, name, type }) => {
          toast({ title: `Created ${visibleText(name)}`, tone: 'good' });
          const search = type === 'test_store' ? {} : { tab: 'store' };
          void navigate({
            to: '/projects/$projectId/apps/$appId',
            params: { projectId, appId: id },
            search,
          });
        },
      }),
  });
  const identifier = identifierFieldOf(form.values.type);
  return (
    <FormDialog
      title="New app"
      effect="It gets a public key for the SDK at once. Store credentials come next."
      form={form}
      submit="Create app"
      call={{
        operation: 'POST /v2/projects/{project_id}/apps',
        path: { project_id: projectId },
        body: bodyOf(form.values),
      }}
      onClose={onClose}
    >
      <RadioCards
        label="Store"
        columns={2}
        options={types.map((value) => ({ value, label: storeName(value), hint: typeHints[value] }))}
        {...form.control('type')}
      />
      <TextField label="Name" hint="Only your team sees it." autoComplete="off" {...form.field('name')} />
      {identifier === 'bundle_id' && (
        <TextField
          label="Bundle ID"
          hint={'In Xcode under Signing & Capabilities, for example com.example.app.'}
          mono
          autoComplete="off"
          {...form.field('bundle_id')}
        />
      )}
      {identifier === 'package_name' && (
        <TextField
          label="Package name"
          hint="The applicationId of your build, for example com.example.app."
          mono
          autoComplete="off"
          {...form.field('package_name')}
        />
      )}
    </FormDialog>
  );
}
