import type { Reader } from '../../../platform/database/database.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { Query, SqlValues } from './sql-values.js';

/** Sums of one answer that a process holds at a time. */
const MAX_SUMS = 500_000;

/** The customers with ids from `from` up to, but not including, `to`. Null means no bound. */
export interface Piece {
  from: string | null;
  to: string | null;
}

export const allCustomers: Piece = { from: null, to: null };

/** Limits a table of customers to a piece. */
export function inPiece(values: SqlValues, { from, to }: Piece, alias: string): string {
  return [
    from === null ? '' : ` AND ${alias}.customer_id >= ${values.add(from)}::text`,
    to === null ? '' : ` AND ${alias}.customer_id < ${values.add(to)}::text`,
  ].join('');
}

/** Returns the pieces between some boundaries, which must be sorted. */
export function piecesBetween(boundaries: readonly string[]): Piece[] {
  return [null, ...boundaries].map((from, index) => ({ from, to: boundaries[index] ?? null }));
}

export function tooManySums(): ApiError {
  return ApiError.parameter('resolution', 'Too many segments by day: choose a coarser resolution.');
}

/**
 * Reads one snapshot. Statements that read customers run piece by piece, on all connections, and the caller adds up
 * their rows.
 */
export class PieceReader {
  constructor(
    private readonly readers: readonly [Reader, ...Reader[]],
    private readonly pieces: readonly Piece[] = piecesBetween([]),
    /** Called after each piece. A rejection ends the reading. */
    private readonly onPiece: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** Reads what no customer's rows are needed for. */
  get whole(): Reader {
    return this.readers[0];
  }

  /** @throws ApiError 400 if there are too many sums */
  async read<Row>(
    queryOf: (piece: Piece) => Query,
    add: (row: Row) => void,
    /** The number of sums so far. */
    sizeOf: () => number,
  ): Promise<void> {
    const waiting = [...this.pieces];
    const work = async (reader: Reader): Promise<void> => {
      for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
        const { statement, values } = queryOf(piece);
        for (const row of await reader.query<Row>(statement, values)) add(row);
        if (sizeOf() > MAX_SUMS) throw tooManySums();
        await this.onPiece();
      }
    };
    const ends = await Promise.allSettled(
      this.readers.map((reader) =>
        work(reader).catch((error: unknown) => {
          waiting.length = 0;
          throw error;
        }),
      ),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
