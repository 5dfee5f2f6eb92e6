import type { ToolDefinition, ToolRun } from '../tool.js';

/** REST's field for the app's identifier in the store, by app type. Other types have none. */
const storeNames: Record<string, 'bundle_id' | 'package_name' | undefined> = {
  app_store: 'bundle_id',
  mac_app_store: 'bundle_id',
  play_store: 'package_name',
  amazon: 'package_name',
};

/** The store settings of an app are in a field named after its type. */
function createApp({ args, call }: ToolRun): Promise<Record<string, unknown>> {
  const { name, type } = args;
  const field = storeNames[String(type)];
  return call('createApp', { name, type, ...(field && { [String(type)]: { [field]: args[field] } }) });
}

async function updateApp({ args, call }: ToolRun): Promise<Record<string, unknown>> {
  const { app_id, name, ...settings } = args;
  if (Object.keys(settings).length === 0) return call('updateApp', { app_id, name });
  const { type } = await call('getApp', { app_id });
  return call('updateApp', { app_id, name, [String(type)]: settings });
}

export const projectTools: ToolDefinition[] = [
  {
    name: 'get_project',
    title: 'Get the project',
    description: 'The project of the credential, with its settings.',
    operations: ['getProject'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'list_apps',
    title: 'List apps',
    description: 'The apps of the project, oldest first. An app belongs to one store.',
    operations: ['listApps'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'get_app',
    title: 'Get an app',
    description: 'An app with the settings of its store, without secrets.',
    operations: ['getApp'],
    effect: 'read',
    arguments: ['app_id'],
  },
  {
    name: 'create_app',
    title: 'Create an app',
    description:
      'Creates an app of one store, with a public key for its SDK. Store credentials are entered in the dashboard, never here.',
    operations: ['createApp'],
    effect: 'write',
    arguments: [
      'name',
      'type',
      { name: 'bundle_id', from: 'app_store.bundle_id', description: 'App Store apps only, which need it.' },
      {
        name: 'package_name',
        from: 'play_store.package_name',
        description: 'Play Store and Amazon apps only, which need it.',
      },
    ],
    run: createApp,
  },
  {
    name: 'update_app',
    title: 'Change an app',
    description:
      'Changes the name of an app, or how store notifications are handled. Credentials stay as they are.',
    operations: ['updateApp', 'getApp'],
    effect: 'write',
    isIdempotent: true,
    arguments: [
      'app_id',
      'name',
      { name: 'notification_forward_url', from: 'app_store.notification_forward_url' },
      { name: 'track_new_purchases', from: 'app_store.track_new_purchases' },
    ],
    run: updateApp,
  },
  {
    name: 'list_public_api_keys',
    title: 'List the public keys of an app',
    description: 'The public key that the SDK of an app sends. It is not secret.',
    operations: ['listPublicApiKeys'],
    effect: 'read',
    arguments: ['app_id'],
  },
  {
    name: 'get_app_store_settings',
    title: 'Get the values to enter in the store',
    description:
      'The addresses and ids to enter in the settings of the store, and which credentials are saved here.',
    operations: ['getStoreSettings'],
    effect: 'read',
    arguments: ['app_id'],
  },
  {
    name: 'verify_store_credentials',
    title: 'Check store credentials',
    description: 'Tries the saved credentials of an app with one harmless call to its store.',
    operations: ['verifyStoreCredentials'],
    effect: 'read',
    reachesStore: true,
    arguments: ['app_id'],
  },
];
