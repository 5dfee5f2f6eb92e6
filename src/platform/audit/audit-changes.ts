import { fieldChanges } from './changed-fields.js';
import { type OldAndNew, recordedValues } from './recorded-values.js';

/** Details of a change for `AuditEntry.data`. */
export type AuditChanges = {
  changed_fields: string[];
  /** Values by API name; absent if no value of the change is recorded. */
  changes?: Record<string, OldAndNew>;
};

/** Fields that are never recorded in plain text, even if a caller lists them. */
type Sealed = `sealed${string}` | `${string}Hash`;

type FieldsOf<Value> = Value extends Date | readonly unknown[]
  ? never
  : Value extends object
    ? Extract<keyof Value, string>
    : never;

/** A field of an entity, or a field of an object in it: `name`, `storeSettings.bundle_id`. */
export type PlainField<Entity> = {
  [Name in Extract<keyof Entity, string>]-?: Name extends Sealed
    ? never
    : Name | `${Name}.${FieldsOf<NonNullable<Entity[Name]>>}`;
}[Extract<keyof Entity, string>];

/**
 * Lists the changed fields, with old and new values of the fields in `plain`. The others are recorded by name only, as
 * they may be secret. If `plain` names an object, all its fields are plain.
 */
export function auditChanges<Entity extends object>(
  before: Entity,
  after: Entity,
  plain: readonly PlainField<Entity>[],
): AuditChanges {
  const listed: ReadonlySet<string> = new Set(plain);
  const changes = fieldChanges(before, after);
  const values = recordedValues(
    changes.filter(({ names: [name = '', inner] }) => listed.has(name) || listed.has(`${name}.${inner}`)),
  );
  return {
    changed_fields: changes.map(({ path }) => path),
    ...(values.size > 0 && { changes: Object.fromEntries(values) }),
  };
}
