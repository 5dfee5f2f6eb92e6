export const text = {
  title: 'Products',
  one: 'Product',
  intro:
    'What the stores sell. A product belongs to one app and has the identifier that it has in the store.',
  things: 'products',
  create: 'New product',
  empty: 'A product is what a customer buys in a store. It unlocks entitlements.',
  app: 'App',
  allApps: 'All apps',
  noApps: 'A product belongs to an app. Add an app first.',
  appMissing: 'Choose an app.',
  chooseApp: 'Choose an app',
  type: 'Type',
  identifier: 'Store identifier',
  identifierFixed: 'It cannot be changed later.',
  identifierMissing: 'Enter the identifier of the product in the store.',
  displayName: 'Name',
  price: 'Test price',
  priceHint: 'What the Test Store charges. Leave it empty for none.',
  priceWrong: 'Enter an amount such as 9.99.',
  currency: 'Currency',
  currencyMissing: 'Enter a currency such as USD.',
  duration: 'Period',
  length: 'Access length',
  lengthHint: 'How long a purchase unlocks, such as P3M for three months. Leave it empty for no end.',
  rentalHint:
    'How long a rental unlocks, such as P2D for two days: Google does not report it. Outright purchases do not end.',
  trial: 'Free trial',
  noTrial: 'No trial',
  noDuration: 'Not set',
  edit: 'Edit',
  editNamed: (name: string) => `Edit ${name}`,
  columns: { product: 'Product', name: 'Name', app: 'App', type: 'Type', price: 'Test price' },
  noPrice: '—',
  selected: (count: number) => (count === 1 ? '1 selected' : `${count.toLocaleString()} selected`),
  clear: 'Clear selection',
  bulk: {
    archive: (count: number) => (count === 1 ? 'Archive 1 product' : `Archive ${count} products`),
    unarchive: (count: number) => (count === 1 ? 'Unarchive 1 product' : `Unarchive ${count} products`),
    delete: (count: number) => (count === 1 ? 'Delete 1 product' : `Delete ${count} products`),
  },
  bulkEffect: {
    archive:
      'SDKs stop offering them. Customers who bought them keep what they unlock. They can be unarchived.',
    unarchive: 'They can be attached and offered again.',
    delete:
      'Their purchases stay on record but no longer unlock anything. They leave all entitlements and packages. This cannot be undone; to stop offering them without taking access away, archive them.',
  },
  bulkHow: 'One call for each product. One that fails does not stop the others.',
  subscriptions: 'Active subscriptions',
  packages: 'Packages that offer it',
  packagesNone: 'No package offers this product.',
  addToPackage: 'Add to package',
  packageField: 'Package',
  choosePackage: 'Choose a package',
  packageMissing: 'Choose a package.',
  archivedProduct: 'An archived product cannot be attached.',
};

/** Periods to choose from; the API accepts any ISO 8601 duration. */
export const periods = ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'] as const;
export const trials = ['P3D', 'P1W', 'P2W', 'P1M'] as const;
