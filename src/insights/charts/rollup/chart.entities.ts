import {
  ChartAttributeValue,
  ChartPiece,
  ChartProject,
  ChartRebuild,
  ChartDirtyDay,
  ChartProductChange,
} from './chart-marks.entity.js';
import { ChartActiveDay, ChartActiveMark } from '../activity/chart-active-days.entity.js';
import { ChartCohortSum } from '../cohorts/chart-cohort-sums.entity.js';
import { BackgroundQuestion } from '../background/background-question.entity.js';
import { ChartDims, StoredChartFact, ChartDay } from './chart-facts.entity.js';
import {
  StoredChartCustomer,
  ChartBuyer,
  ChartCohortCounts,
  ChartCohortDay,
  ChartCohortMoney,
  ChartPayer,
  ChartRun,
} from './chart-customers.entity.js';

/** Tables of the charts. Only named SQL reads and writes them. */
export const chartEntities = [
  BackgroundQuestion,
  ChartActiveDay,
  ChartActiveMark,
  ChartPiece,
  ChartProject,
  ChartRebuild,
  ChartProductChange,
  ChartDirtyDay,
  ChartAttributeValue,
  ChartDims,
  StoredChartFact,
  ChartDay,
  StoredChartCustomer,
  ChartBuyer,
  ChartPayer,
  ChartRun,
  ChartCohortCounts,
  ChartCohortMoney,
  ChartCohortDay,
  ChartCohortSum,
];
