import type { Tone } from '../../ui/tone.js';
import { visibleText } from '../../ui/text/visible-text.js';
import type { RetentionMessage } from './retention.queries.js';

export const messageStates: Record<RetentionMessage['state'], { tone: Tone; text: string }> = {
  approved: { tone: 'good', text: 'Approved' },
  rejected: { tone: 'bad', text: 'Rejected' },
  pending_review: { tone: 'accent', text: 'In review' },
  unknown: { tone: 'neutral', text: 'Unknown' },
};

/** The header of a message, or its id if it was not created here. */
export const messageName = ({ id, header }: Pick<RetentionMessage, 'id' | 'header'>): string =>
  header === null ? id : visibleText(header);
