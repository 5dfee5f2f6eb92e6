import type { ToolDefinition } from '../tool.js';

const productIds = {
  name: 'product_ids',
  form: 'product',
  description: 'Ids of products, or their store identifiers: `list_products`.',
} as const;

export const productTools: ToolDefinition[] = [
  {
    name: 'list_products',
    title: 'List products',
    description: 'The products of the project, archived ones included, oldest first.',
    operations: ['listProducts'],
    effect: 'read',
    arguments: ['app_id'],
  },
  {
    name: 'create_product',
    title: 'Create a product',
    description:
      'Creates a product of an app, with the identifier it has in the store. It is not created in the store.',
    operations: ['createProduct'],
    effect: 'write',
    arguments: [
      'app_id',
      'store_identifier',
      { name: 'type', description: 'What is sold.' },
      'display_name',
      { name: 'duration', from: 'subscription.duration' },
    ],
  },
  {
    name: 'compare_store_products',
    title: 'Compare products with a store',
    description:
      'Asks the store of an app for its products and compares: which are missing here or in the store, and where type, duration or state differ.',
    operations: ['compareStoreProducts'],
    effect: 'read',
    reachesStore: true,
    arguments: ['app_id'],
  },
  {
    name: 'import_store_products',
    title: 'Import products of a store',
    description:
      'Creates products with the names and durations of the store. Existing ones stay unchanged. `compare_store_products` lists those that are missing here.',
    operations: ['importStoreProducts'],
    effect: 'write',
    isIdempotent: true,
    reachesStore: true,
    arguments: ['app_id', 'store_identifiers', 'one_time_type'],
  },
  {
    name: 'archive_product',
    title: 'Archive a product',
    description:
      'Stops offering a product. Customers who bought it keep what it unlocks. It can be unarchived.',
    operations: ['archiveProduct'],
    effect: 'write',
    isIdempotent: true,
    arguments: [{ name: 'product_id', form: 'product' }],
  },
  {
    name: 'unarchive_product',
    title: 'Unarchive a product',
    description: 'Makes an archived product available again.',
    operations: ['unarchiveProduct'],
    effect: 'write',
    isIdempotent: true,
    arguments: [{ name: 'product_id', form: 'product' }],
  },
];

export const entitlementTools: ToolDefinition[] = [
  {
    name: 'list_entitlements',
    title: 'List entitlements',
    description: 'The levels of access that products unlock, archived ones included, oldest first.',
    operations: ['listEntitlements'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'get_entitlement',
    title: 'Get an entitlement',
    description: 'An entitlement with its names and state.',
    operations: ['getEntitlement'],
    effect: 'read',
    arguments: [{ name: 'entitlement_id', form: 'entitlement' }],
  },
  {
    name: 'create_entitlement',
    title: 'Create an entitlement',
    description: 'Creates an entitlement. Apps ask for it by its lookup key, which cannot be changed.',
    operations: ['createEntitlement'],
    effect: 'write',
    arguments: ['lookup_key', 'display_name'],
  },
  {
    name: 'update_entitlement',
    title: 'Rename an entitlement',
    description: 'Changes the display name of an entitlement.',
    operations: ['renameEntitlement'],
    effect: 'write',
    arguments: [{ name: 'entitlement_id', form: 'entitlement' }, 'display_name'],
  },
  {
    name: 'get_products_from_entitlement',
    title: 'List the products of an entitlement',
    description: 'The products that unlock an entitlement, oldest first.',
    operations: ['listEntitlementProducts'],
    effect: 'read',
    arguments: [{ name: 'entitlement_id', form: 'entitlement' }],
  },
  {
    name: 'attach_products_to_entitlement',
    title: 'Attach products to an entitlement',
    description: 'Lets products unlock an entitlement, also for customers who bought them already.',
    operations: ['attachEntitlementProducts'],
    effect: 'write',
    isIdempotent: true,
    arguments: [{ name: 'entitlement_id', form: 'entitlement' }, productIds],
  },
  {
    name: 'detach_products_from_entitlement',
    title: 'Detach products from an entitlement',
    description:
      'The products no longer unlock the entitlement. Customers who bought them lose that access at once.',
    operations: ['detachEntitlementProducts'],
    effect: 'destructive',
    arguments: [{ name: 'entitlement_id', form: 'entitlement' }, productIds],
  },
];

export const offeringTools: ToolDefinition[] = [
  {
    name: 'list_offerings',
    title: 'List offerings',
    description: 'The sets of packages that apps can show, archived ones included, oldest first.',
    operations: ['listOfferings'],
    effect: 'read',
    arguments: [],
  },
  {
    name: 'create_offering',
    title: 'Create an offering',
    description: 'Creates an offering. The first one of a project becomes the current one.',
    operations: ['createOffering'],
    effect: 'write',
    arguments: ['lookup_key', 'display_name', 'metadata'],
  },
  {
    name: 'update_offering',
    title: 'Change an offering',
    description:
      'Changes the display name or metadata of an offering, or makes it the current one, which apps then show.',
    operations: ['updateOffering'],
    effect: 'write',
    arguments: [{ name: 'offering_id', form: 'offering' }, 'display_name', 'is_current', 'metadata'],
  },
  {
    name: 'list_packages',
    title: 'List the packages of an offering',
    description: 'The packages of an offering, in the order in which apps show them.',
    operations: ['listPackages'],
    effect: 'read',
    arguments: [{ name: 'offering_id', form: 'offering' }],
  },
  {
    name: 'create_package',
    title: 'Create a package',
    description: 'Adds a package to an offering. Attach products to it afterwards.',
    operations: ['createPackage'],
    effect: 'write',
    arguments: [{ name: 'offering_id', form: 'offering' }, 'lookup_key', 'display_name', 'position'],
  },
  {
    name: 'attach_products_to_package',
    title: 'Attach products to a package',
    description: 'Puts products into a package, one for each app.',
    operations: ['attachPackageProducts'],
    effect: 'write',
    arguments: [
      { name: 'package_id', form: 'package' },
      { name: 'products', description: 'The products, by their ids.' },
    ],
  },
  {
    name: 'detach_products_from_package',
    title: 'Detach products from a package',
    description: 'Removes products from a package, which apps then no longer show there. The products stay.',
    operations: ['detachPackageProducts'],
    effect: 'destructive',
    arguments: [{ name: 'package_id', form: 'package' }, productIds],
  },
];
