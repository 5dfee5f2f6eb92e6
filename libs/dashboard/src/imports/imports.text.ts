import type { ImportStatus } from './imports.queries.js';

export type Count = Exclude<keyof ImportStatus, 'object' | 'needs_token_refresh_by_app' | 'last_import_at'>;

/** Texts of the imports page. */
export const text = {
  title: 'Imports',
  note: 'Brings customers, purchases and the catalog from another system here, without a moment in which a paying customer loses access.',

  status: {
    title: 'State',
    none: 'Nothing was imported yet. The numbers move while the import runs.',
    running: 'An import is running.',
    last: 'Last import',
    since: 'since',
    counts: {
      customers: 'Customers',
      subscriptions: 'Subscriptions',
      needs_token_refresh: 'Wait for a token',
      unconfirmed_original_ids: 'Unconfirmed by the App Store',
      held_open: 'Held open',
      transactions_without_price: 'Payments without a price',
      periods_of_unknown_length: 'Refunded periods of unknown length',
      resolving: 'Still to ask a store about',
    } satisfies Record<Count, string>,
    hints: {
      customers: 'All customers of the project, imported or not.',
      subscriptions: 'All subscriptions of the project, imported or not.',
      needs_token_refresh: 'Google Play subscriptions that came without a purchase token.',
      unconfirmed_original_ids:
        'Their original transaction id is a guess until the App Store or a receipt proves it.',
      held_open: 'They wait for a token and give access after the end of their period, for at most 60 days.',
      transactions_without_price: 'They add nothing to revenue.',
      periods_of_unknown_length: 'They count as one month.',
      resolving: 'Asked by the server itself, as fast as the stores allow.',
    } satisfies Record<Count, string>,
    docs: 'Read about the calls of an import',
    job: 'Import',
    jobNote: (customers: string) => `${customers} customers in the project`,
  },

  steps: {
    title: 'Move from the vendor',
    where: 'Where the command line runs',
    key: {
      title: 'Make the keys',
      source:
        'At the vendor: a secret key of API version 2 that may read the project configuration and the customer information.',
      target: 'Here: a secret key with every permission.',
      toKeys: 'Go to the API keys',
      asked: 'The command asks for both. In a script set TENURE_SOURCE_KEY and TENURE_KEY.',
    },
    run: {
      title: 'Run the import',
      dry: 'First a trial, which reads everything and writes nothing:',
      real: 'Then the import itself:',
      again:
        'It goes on where it stopped when it is started again, and can be repeated every day until you switch: what has happened here since is never undone.',
      credentials:
        'Enter the credentials of each store now, and import once more, so that stores confirm what came.',
      toApps: 'Go to the apps',
    },
    verify: {
      title: 'Verify',
      about:
        'Compares who has access to what on both sides, customer by customer. Go on when it finds no difference for some days, and when few purchases above wait for a store.',
    },
    cutOver: {
      title: 'Cut over',
      about: 'Prints what is left to do, with the addresses and ids of this project:',
      tasks: [
        'Stores send their notifications here, and this server forwards them to the vendor.',
        'Webhooks of this project go to a receiver that only writes them down, until you trust them.',
        'A new version of your app has this server’s address. Apps in use keep their public key.',
        'Your backend switches with the release. Then forwarding ends and the source key is deleted.',
      ],
      toSetup: 'See the code for your app',
      toWebhooks: 'Go to the webhooks',
    },
  },

  waiting: {
    title: 'Purchases that wait for a token',
    about:
      'The vendor names Google Play purchases by order id only. Their customers keep access; with the purchase token, Google’s word counts again. Tokens also come from the app, from notifications, and from Google’s orders API when its credentials are entered.',
    none: 'No purchase waits for a token.',
    label: 'Purchases that wait, by app',
    app: 'App',
    count: 'Waiting',
    csv: 'Supply tokens by a CSV file',
    csvAbout:
      'With a header row; comma, semicolon or tab between the columns. A row needs the token and the order id, or the token with the customer and the product.',
    columns: 'Columns of the file',
    column: 'Column',
    names: 'Also accepted as',
    example: 'Example of the file',
    command: 'Command that imports with the tokens',
  },
};

/** Accepted column names in the file. The first of each appears in the example. */
export const tokenColumns: readonly (readonly [meaning: string, names: readonly string[]])[] = [
  ['Purchase token', ['purchase_token', 'token', 'fetch_token', 'google_purchase_token']],
  ['Order id', ['order_id', 'orderid', 'store_transaction_id', 'store_subscription_identifier']],
  ['Customer', ['app_user_id', 'rc_original_app_user_id', 'customer_id', 'user_id']],
  ['Product', ['product_id', 'product_identifier', 'google_product_id']],
];

export const exampleCsv = `purchase_token,order_id,app_user_id,product_id
aabbccddeeffgghhiijjkkll.AO-J1Oz,GPA.3312-4512-1100-55923,user-1,pro`;
