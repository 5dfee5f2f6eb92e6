import type { TransferBehavior, WeekStart } from './project.queries.js';

export const text = {
  title: 'General',
  name: 'Name',
  nameMissing: 'Enter a name.',
  save: 'Save',
  saved: 'Saved',
  created: 'Created',
  transfer: 'Restoring purchases',
  transferNote:
    'What happens when someone restores a purchase, or sends its receipt, that belongs to another customer.',
  production: 'Production purchases',
  sandbox: 'Sandbox purchases',
  asProduction: 'As for production',
  asProductionHint: 'Sandbox purchases follow the same rule.',
  behaviors: {
    transfer: {
      label: 'Transfer',
      hint: 'The purchase moves to the customer who restores it; the one before loses access.',
    },
    transfer_if_no_active: {
      label: 'Transfer if there is no active subscription',
      hint: 'It moves only if the customer before has no active subscription. Otherwise the restore is refused.',
    },
    keep: {
      label: 'Keep with the original customer',
      hint: 'It never moves. The restore is refused.',
    },
    share: {
      label: 'Share',
      hint: 'Both customers become one and have the same access, now and later.',
    },
  } satisfies Record<TransferBehavior, { label: string; hint: string }>,
  transferTable: {
    label: 'Effect of each rule',
    rule: 'Rule',
    restores: 'Customer who restores',
    before: 'Customer before',
    effects: {
      transfer: ['Gets the purchase', 'Loses it'],
      transfer_if_no_active: [
        'Gets it, unless a subscription of the other one is active',
        'Loses it; with an active subscription keeps everything',
      ],
      keep: ['Is refused', 'Keeps it'],
      share: ['Gets it', 'Keeps it: the two are one customer from then on'],
    } satisfies Record<TransferBehavior, [restores: string, before: string]>,
  },
  week: 'Weeks of charts',
  weekNote: 'On which day (UTC) a week begins when charts are drawn by week.',
  weekDays: { monday: 'Monday', sunday: 'Sunday' } satisfies Record<WeekStart, string>,
  holdout: 'Customers held out of experiments',
  holdoutNote:
    'This share of customers joins no experiment, so that they can be compared with the others. Customers who joined an experiment stay in it.',
  holdoutHint: 'Percent, 0 to 50.',
  attributes: 'Attributes in charts',
  attributesNote:
    'Up to five customer attributes that charts can be filtered and split by. Everything that a customer did counts at the latest value, so past figures change with it.',
  attributeNames: 'Attributes',
  attributeNamesHint: 'Names, separated by spaces. After a change the charts are computed anew.',
  delete: 'Delete project',
  deleteNote: 'Ends the project for everyone.',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteEffect:
    'Apps get errors at once, webhooks stop, and every customer, purchase, product and key of the project is deleted. This cannot be undone.',
  deleted: (name: string) => `Deleted ${name}`,
};
