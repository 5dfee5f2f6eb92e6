export {
  type EmbeddedPostgres,
  endAbandonedPostgres,
  runningPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.js';
export { FolderInUse } from './folder-lock.js';
