import {
  And,
  type EntityTarget,
  Equal,
  FindOperator,
  type FindOptionsOrder,
  type FindOptionsWhere,
  MoreThan,
  type ObjectLiteral,
} from 'typeorm';
import { unknownCursor, type PageRequest } from '../http/lists.js';
import type { Executor } from './database.js';

/** What every object of a project that is listed oldest first has. */
export interface Listed extends ObjectLiteral {
  projectId: string;
  id: string;
  createdAt: Date;
}

type Narrowing<Row> = FindOptionsWhere<Row> & { projectId: string };

/**
 * One page (and one row more) of a project's objects, oldest first, by keyset on (created_at, id), which never
 * change. `where` narrows the list; the cursor must be in it.
 * @throws ApiError 400 for a cursor of another list
 */
export function keysetPage<Row extends Listed>(
  executor: Executor,
  entity: EntityTarget<Row>,
  where: Narrowing<Row>,
  page: PageRequest,
): Promise<Row[]> {
  return keysetPageBy(executor, entity, where, page, ['createdAt', 'id']);
}

/**
 * As `keysetPage`, in another order, all of it ascending. The columns of `order` are unique together within
 * the list; the last one is what clients see as the cursor.
 * @throws ApiError 400 for a cursor of another list
 */
export async function keysetPageBy<Row extends ObjectLiteral>(
  { manager }: Executor,
  entity: EntityTarget<Row>,
  where: Narrowing<Row>,
  { after, limit }: PageRequest,
  order: readonly (keyof Row & string)[],
): Promise<Row[]> {
  const repository = manager.getRepository(entity);
  const sorting = Object.fromEntries(order.map((column) => [column, 'ASC'])) as FindOptionsOrder<Row>;
  if (after === null) return repository.find({ where, order: sorting, take: limit + 1 });
  const cursor = await repository.findOneBy(narrowed(where, order.slice(-1), () => Equal(after)));
  if (!cursor) throw unknownCursor(after);
  // (a, b) > (x, y) as a > x OR (a = x AND b > y).
  const later = order.map((column, index) => {
    const sameBefore = narrowed(where, order.slice(0, index), (name) => Equal(cursor[name]));
    return narrowed(sameBefore, [column], (name) => MoreThan(cursor[name]));
  });
  return repository.find({ where: later, order: sorting, take: limit + 1 });
}

/** `where`, with one condition more on each of some columns. */
function narrowed<Row extends ObjectLiteral>(
  where: FindOptionsWhere<Row>,
  columns: readonly (keyof Row & string)[],
  condition: (column: keyof Row & string) => FindOperator<unknown>,
): FindOptionsWhere<Row> {
  const conditions = columns.map((column) => {
    const present: unknown = where[column];
    if (present === undefined) return [column, condition(column)];
    const operator = present instanceof FindOperator ? present : Equal(present);
    return [column, And(operator, condition(column))];
  });
  return { ...where, ...Object.fromEntries(conditions) } as FindOptionsWhere<Row>;
}
