import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../../../ui/icons.js';
import { DataText } from '../../../ui/text/data-text.js';
import { pathOf } from '../editor/document/json-path.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import type { PaywallProblem } from '../paywall.types.js';
import { componentAround, isAboutTexts } from './component-place.js';

interface ProblemListProps {
  problems: readonly PaywallProblem[];
  /** Called when a problem was opened. */
  onOpen: () => void;
}

/** Problems of the paywall. Each opens the component or the texts that it is about. */
export function ProblemList({ problems, onOpen }: ProblemListProps) {
  const { document, select } = usePaywallDocument();
  const navigate = useNavigate();
  const open = ({ path: pointer }: PaywallProblem) => {
    const path = pathOf(pointer);
    const component = componentAround(document, path);
    if (component) select(component);
    const tab = isAboutTexts(path) ? 'texts' : undefined;
    void navigate({ to: '.', search: (before) => ({ ...before, tab }), replace: true });
    onOpen();
  };
  return (
    <ul aria-label="Problems" className="divide-y divide-line rounded-md border border-line">
      {problems.map((problem, index) => {
        const isError = problem.severity === 'error';
        return (
          <li key={index}>
            <button
              type="button"
              onClick={() => open(problem)}
              className="flex w-full items-start gap-2 px-3 py-2 text-start hover:bg-hover pointer-coarse:min-h-11"
            >
              <Icon
                name={isError ? 'error' : 'warning'}
                label={isError ? 'Error' : 'Warning'}
                className={`mt-0.5 ${isError ? 'text-bad' : 'text-warn'}`}
              />
              <span className="min-w-0">
                <DataText>{problem.message}</DataText>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
