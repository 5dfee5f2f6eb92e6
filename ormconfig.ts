import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/platform/database/data-source.js';

/** Data source of the TypeORM command line (`npx typeorm migration:show -d dist/ormconfig.js`). */
export default new DataSource(dataSourceOptions({ url: process.env.DATABASE_URL ?? '', poolSize: 2 }));
