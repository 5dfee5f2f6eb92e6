import {
  And,
  type EntityMetadata,
  Equal,
  FindOperator,
  type FindOptionsOrder,
  type FindOptionsWhere,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import { type Place, type PlaceKind, startOf } from './list-place.js';
import type { PageRequest } from './lists.js';

export interface Listed extends ObjectLiteral {
  projectId: string;
  id: string;
  createdAt: Date;
}

/** `DESC`: newest first. */
type Direction = 'ASC' | 'DESC';

type Narrowing<Row> = FindOptionsWhere<Row> & { projectId: string };

/**
 * Returns one page plus one row of a project's objects, by default oldest first. The keyset is (created_at, id), which
 * never change. `where` narrows the list; the cursor's item must match it.
 * @throws ApiError 400 for a cursor of another list
 */
export function keysetPage<Row extends Listed>(
  repository: Repository<Row>,
  where: Narrowing<Row>,
  page: PageRequest,
  direction?: Direction,
): Promise<Row[]> {
  return keysetPageBy(repository, where, page, ['createdAt', 'id'], direction);
}

/**
 * Like `keysetPage`, with another order. The columns of `order` are unique together within the list; the last one is
 * the public cursor.
 * @throws ApiError 400 for a cursor of another list
 */
export async function keysetPageBy<Row extends ObjectLiteral>(
  repository: Repository<Row>,
  where: Narrowing<Row>,
  { after, limit }: PageRequest,
  order: readonly (keyof Row & string)[],
  direction: Direction = 'ASC',
): Promise<Row[]> {
  const sorting = Object.fromEntries(order.map((column) => [column, direction])) as FindOptionsOrder<Row>;
  const page = { where, order: sorting, take: limit + 1 };
  const key = order[order.length - 1] as keyof Row & string;
  const place = await startOf(after, kindsOf(repository.metadata, order.slice(0, -1)), async (id) => {
    const found = await repository.findOneBy(narrowed(where, key, Equal(id)));
    return found && (order.map((column) => found[column]) as unknown as Place);
  });
  if (place === null) return repository.find(page);
  // A row comparison is one index range; written with OR, it would read all earlier rows.
  const columns = order.map((column) => `item.${column}`).join(', ');
  const values = order.map((column) => `:${column}`).join(', ');
  return repository
    .createQueryBuilder('item')
    .setFindOptions(page)
    .andWhere(
      `(${columns}) ${direction === 'ASC' ? '>' : '<'} (${values})`,
      Object.fromEntries(order.map((column, index) => [column, place[index]])),
    )
    .getMany();
}

function kindsOf(metadata: EntityMetadata, columns: readonly string[]): PlaceKind[] {
  return columns.map((column) =>
    metadata.findColumnWithPropertyName(column)?.type === 'timestamptz' ? 'time' : 'number',
  );
}

function narrowed<Row extends ObjectLiteral>(
  where: FindOptionsWhere<Row>,
  column: keyof Row & string,
  condition: FindOperator<unknown>,
): FindOptionsWhere<Row> {
  const present: unknown = where[column];
  if (present === undefined) return { ...where, [column]: condition };
  const operator = present instanceof FindOperator ? present : Equal(present);
  return { ...where, [column]: And(operator, condition) };
}
