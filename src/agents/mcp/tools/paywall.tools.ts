import { isJsonObject } from '../../../../libs/kernel/index.js';
import { parameterError } from '../rest-error.js';
import { MAX_CHARACTERS } from '../tool-result.policy.js';
import type { ToolDefinition, ToolRun } from '../tool.js';

type Json = Record<string, unknown>;

const documentFields = [
  'components_config',
  'components_localizations',
  'exit_offers',
  'state_declarations',
  'play_store_product_change_mode',
] as const;

const paywallId = { name: 'paywall_id', description: 'Id of a paywall: `list_paywalls`.' } as const;

/** The draft, otherwise the published version: what a change starts from. */
async function getPaywall({ args, call }: ToolRun): Promise<Json> {
  const { fields, ...values } = args;
  const { components, problems, ...paywall } = await call('getPaywall', { ...values, expand: 'components' });
  const { draft, published } = components as Record<'draft' | 'published', Json | null>;
  const chosen = new Set<unknown>(Array.isArray(fields) ? fields : documentFields);
  const content = Object.entries(draft ?? published ?? {}).filter(
    ([name]) => name !== 'fonts' && (chosen.has(name) || !documentFields.includes(name as never)),
  );
  const answer = {
    ...paywall,
    published_revision: published?.revision ?? null,
    has_draft: draft !== null,
    ...Object.fromEntries(content),
    problems,
  };
  const { length } = JSON.stringify(answer);
  // A document that was cut would lose its rest when it is sent back.
  if (length > MAX_CHARACTERS)
    throw parameterError(
      'fields',
      `${length} characters are more than ${MAX_CHARACTERS}: name fewer fields.`,
    );
  return answer;
}

/** Without the content, which the caller has just sent. */
async function updatePaywall({ args, call }: ToolRun): Promise<Json> {
  const { components, ...paywall } = await call('updatePaywall', args);
  const { draft, published } = components as Record<'draft' | 'published', Json | null>;
  return { ...paywall, revision: (draft ?? published)?.revision };
}

async function listTemplates({ call }: ToolRun): Promise<Json> {
  const answer = await call('listPaywallTemplates', {});
  const items = (answer.items as Json[]).map(({ id, name, description }) => ({ id, name, description }));
  return { ...answer, items };
}

/** The whole schema is longer than an answer may be. */
async function getSchema({ args, call }: ToolRun): Promise<Json> {
  const { $defs, ...document } = await call('getPaywallSchema', {});
  const definitions = isJsonObject($defs) ? $defs : {};
  const name = args.definition as string | undefined;
  if (name === undefined) return { ...document, definitions: Object.keys(definitions) };
  const schema = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  if (!isJsonObject(schema)) throw parameterError('definition', `There is no definition ${name}.`);
  return schema;
}

export const paywallTools: ToolDefinition[] = [
  {
    name: 'list_paywalls',
    title: 'List paywalls',
    description: 'The paywalls of the project, drafts included, oldest first, without their content.',
    operations: ['listPaywalls'],
    effect: 'read',
    arguments: [{ name: 'offering_id', form: 'offering' }],
  },
  {
    name: 'get_paywall',
    title: 'Get a paywall',
    description:
      'The content of the draft, otherwise of the published version, with its revision and problems. Problems of severity `error` prevent publishing.',
    operations: ['getPaywall'],
    effect: 'read',
    isDocument: true,
    arguments: [
      paywallId,
      {
        name: 'fields',
        schema: { type: 'array', items: { type: 'string', enum: [...documentFields] }, maxItems: 5 },
        description: 'Parts of the content to show. Default: all.',
      },
    ],
    run: getPaywall,
  },
  {
    name: 'list_paywall_templates',
    title: 'List paywall templates',
    description: 'Paywalls from which a new one can start.',
    operations: ['listPaywallTemplates'],
    effect: 'read',
    arguments: [],
    run: listTemplates,
  },
  {
    name: 'get_paywall_schema',
    title: 'Get the schema of paywalls',
    description:
      'JSON Schema of the content of paywalls. `#/$defs/…` refers to definitions, which this tool returns one at a time.',
    // The schema is public; those who may not read paywalls do not need it.
    operations: ['getPaywallSchema', 'listPaywallTemplates'],
    effect: 'read',
    isDocument: true,
    arguments: [
      {
        name: 'definition',
        schema: { type: 'string', minLength: 1, maxLength: 100 },
        description:
          'Name of a definition, such as `text` or `purchase_button`. Default: the document itself.',
      },
    ],
    run: getSchema,
  },
  {
    name: 'get_paywall_settings',
    title: 'Get the settings of paywalls',
    description: 'The colors, fonts and variables that paywalls of the project share and may name.',
    operations: ['getPaywallSettings'],
    effect: 'read',
    isDocument: true,
    arguments: [],
  },
  {
    name: 'list_media_assets',
    title: 'List images and fonts',
    description:
      'The uploaded images and fonts of the project, with the addresses that paywalls use, newest first.',
    operations: ['listMediaAssets'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'create_paywall',
    title: 'Create a paywall',
    description:
      'Creates the draft of a paywall for an offering without one. Apps show it once it is published.',
    operations: ['createPaywall'],
    effect: 'write',
    arguments: [
      { name: 'offering_id', form: 'offering' },
      'name',
      {
        name: 'template_id',
        description: 'Starts from a template: `list_paywall_templates`. Default: empty.',
      },
      { name: 'duplicate_of', description: 'Starts from another paywall of the project, by its id.' },
    ],
  },
  {
    name: 'update_paywall',
    title: 'Change the draft of a paywall',
    description:
      'Replaces the given fields of the draft, which apps do not see yet, and returns its new revision and its problems. A draft with problems is saved too. Read the paywall before.',
    operations: ['updatePaywall'],
    effect: 'write',
    isIdempotent: true,
    arguments: [
      paywallId,
      'revision',
      'name',
      { name: 'offering_id', form: 'offering' },
      {
        name: 'default_locale',
        description: 'The language of customers whose own is missing, such as `en_US`.',
      },
      { name: 'components_config', description: 'The whole screen: `get_paywall_schema`.' },
      { name: 'components_localizations', description: 'All texts, by language and `text_lid`.' },
      {
        name: 'exit_offers',
        description: 'The offering to show when the paywall is closed. Null removes it.',
      },
      {
        name: 'state_declarations',
        description: 'States that components may set and read. Null removes them.',
      },
    ],
    run: updatePaywall,
  },
  {
    name: 'publish_paywall',
    title: 'Publish a paywall',
    description: 'Shows the draft to all customers of the offering at the next start of their apps.',
    operations: ['publishPaywall'],
    effect: 'write',
    isIdempotent: true,
    arguments: [paywallId, 'revision'],
  },
  {
    name: 'unpublish_paywall',
    title: 'Unpublish a paywall',
    description:
      'Apps show their own screen instead of the paywall from their next start. The content stays as a draft.',
    operations: ['unpublishPaywall'],
    effect: 'write',
    isIdempotent: true,
    arguments: [paywallId],
  },
];
