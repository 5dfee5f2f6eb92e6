import { Module } from '@nestjs/common';
import { PagesModule } from './pages/pages.module.js';

/** The dashboard for browsers, built from libs/dashboard. Its routes come after those of the APIs. */
@Module({ imports: [PagesModule] })
export class DashboardAreaModule {}
