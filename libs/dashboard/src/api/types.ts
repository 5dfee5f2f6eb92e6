import type { components, operations } from './schema.js';

/** Removes fields that are always null, which the client's responses lack. */
type Answered<T> = T extends (infer Item)[]
  ? Answered<Item>[]
  : T extends object
    ? { [Name in keyof T as [NonNullable<T[Name]>] extends [never] ? never : Name]: Answered<T[Name]> }
    : T;

/** A schema of the API by its name in the documentation: `Schema<'CustomerDto'>`. */
export type Schema<Name extends keyof components['schemas']> = Answered<components['schemas'][Name]>;

/** The query parameters of an operation: `Query<'listEvents'>`. */
export type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]['parameters']['query']
>;

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  next_page: string | null;
}
