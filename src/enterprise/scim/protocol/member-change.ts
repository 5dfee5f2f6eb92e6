import { isJsonObject } from '../../../../libs/kernel/index.js';
import type { Filter } from './filter.js';
import type { AttributeChange } from './patch-engine.js';
import { scimError } from './scim-error.js';

/** Accepts `value eq "id"`, or several of these joined by `or`. */
function idsOf(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(idsOf);
  const isOfValue = filter.kind === 'compare' && filter.operator === 'eq' && filter.path?.sub === 'value';
  if (!isOfValue || typeof filter.value !== 'string')
    throw scimError('invalidFilter', 'Members are named by filters such as members[value eq "id"].');
  return [filter.value];
}

/** @throws ApiError 400 invalidValue */
export function memberIds(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((member: unknown) => {
    if (typeof member === 'string') return member;
    const id = isJsonObject(member) ? member.value : undefined;
    if (typeof id !== 'string') throw scimError('invalidValue', 'members must be objects with a text value.');
    const kind = isJsonObject(member) ? member.type : undefined;
    if (typeof kind === 'string' && kind.toLowerCase() === 'group')
      throw scimError('invalidValue', 'Groups cannot be members of groups.');
    return id;
  });
}

/** Changes of a request to a group's members, recorded without reading them. The last operation on a member wins. */
export class MemberChange {
  /** Whether to remove members that the request does not name. */
  removesOthers = false;
  readonly added = new Set<string>();
  readonly removed = new Set<string>();

  static replacing(ids: readonly string[]): MemberChange {
    const change = new MemberChange();
    change.replace(ids);
    return change;
  }

  get isNone(): boolean {
    return !this.removesOthers && this.added.size === 0 && this.removed.size === 0;
  }

  /** Callback for the PATCH engine. @throws ApiError 400 */
  readonly patch = ({ op, path, value }: AttributeChange): void => {
    const { filter, sub } = path;
    if (sub !== null || (filter && op !== 'remove'))
      throw scimError('mutability', 'Members are added and removed as a whole.');
    if (filter) return this.remove(idsOf(filter));
    const hasValue = value !== undefined && value !== null;
    if (op === 'remove') return hasValue ? this.remove(memberIds(value)) : this.replace([]);
    if (op === 'add') return this.add(memberIds(value));
    this.replace(memberIds(value));
  };

  private add(ids: readonly string[]): void {
    for (const id of ids) {
      this.removed.delete(id);
      this.added.add(id);
    }
  }

  private remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.delete(id);
      if (!this.removesOthers) this.removed.add(id);
    }
  }

  private replace(ids: readonly string[]): void {
    this.removesOthers = true;
    this.removed.clear();
    this.added.clear();
    this.add(ids);
  }
}
