/** A position in the write-ahead log of a server. */
export interface Position {
  position: string;
  system: string;
  database: string;
}

/** All acknowledged commits are before it, because a commit is acknowledged when its log is flushed. */
export const POSITION = `SELECT pg_current_wal_flush_lsn()::text AS position,
  (SELECT system_identifier::text FROM pg_control_system()) AS system, current_database()::text AS database`;
