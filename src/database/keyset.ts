import { type EntityTarget, MoreThan, type ObjectLiteral, type FindOptionsWhere } from 'typeorm';
import { unknownCursor, type PageRequest } from '../http/lists.js';
import type { Executor } from './database.js';

/** What every object of a project that is listed oldest first has. */
export interface Listed extends ObjectLiteral {
  projectId: string;
  id: string;
  createdAt: Date;
}

/**
 * One page (and one row more) of a project's objects, oldest first, by keyset on (created_at, id), which never
 * change. `where` narrows the list; the cursor must be in it.
 * @throws ApiError 400 for a cursor of another list
 */
export async function keysetPage<Row extends Listed>(
  { manager }: Executor,
  entity: EntityTarget<Row>,
  where: FindOptionsWhere<Row> & { projectId: string },
  { after, limit }: PageRequest,
): Promise<Row[]> {
  const repository = manager.getRepository(entity);
  const order = { createdAt: 'ASC', id: 'ASC' } as never;
  if (after === null) return repository.find({ where, order, take: limit + 1 });
  const cursor = await repository.findOneBy({ ...where, id: after });
  if (!cursor) throw unknownCursor(after);
  const later = [
    { ...where, createdAt: cursor.createdAt, id: MoreThan(cursor.id) },
    { ...where, createdAt: MoreThan(cursor.createdAt) },
  ] as FindOptionsWhere<Row>[];
  return repository.find({ where: later, order, take: limit + 1 });
}
