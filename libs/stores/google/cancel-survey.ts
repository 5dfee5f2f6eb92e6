import { listed } from '../unknown-values.js';
import type { UserCancellation } from './play-resources.js';

const PREFIX = 'CANCEL_SURVEY_REASON_';
const UNSPECIFIED = 'UNSPECIFIED';

export const surveyReasons = listed(
  `${UNSPECIFIED} NOT_ENOUGH_USAGE TECHNICAL_ISSUES COST_RELATED FOUND_BETTER_APP OTHERS`,
  PREFIX,
);

/** Returns the answer without Google's prefix; null if there is none, or one that this server does not know. */
export function cancelSurveyOf({ cancelSurveyResult }: UserCancellation): string | null {
  const { reason } = cancelSurveyResult ?? {};
  if (reason === undefined || !surveyReasons.has(reason)) return null;
  const answer = reason.slice(PREFIX.length);
  return answer === UNSPECIFIED ? null : answer;
}
