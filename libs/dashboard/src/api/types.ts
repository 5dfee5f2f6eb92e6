import type { components, operations } from './schema.js';

/** An object of the API by its name in the documentation: `Schema<'CustomerDto'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** The query parameters of an operation: `Query<'listEvents'>`. */
export type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['query']
>;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  next_page: string | null;
}
