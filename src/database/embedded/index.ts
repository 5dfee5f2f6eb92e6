export { type EmbeddedPostgres, endAbandonedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
