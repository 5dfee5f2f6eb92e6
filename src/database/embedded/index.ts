export { startEmbeddedPostgres } from './embedded-postgres.js';
