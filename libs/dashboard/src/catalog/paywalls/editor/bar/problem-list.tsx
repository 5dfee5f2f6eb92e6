import { Icon } from '../../../../ui/icons.js';
import { DataText } from '../../../../ui/text/data-text.js';
import { visibleText } from '../../../../ui/text/visible-text.js';
import type { PaywallProblem } from '../../paywall.types.js';
import { pathOf } from '../document/json-path.js';
import { layerName } from '../layers/layer-names.js';
import { isAboutTexts, usePaywallDocument } from '../paywall-editor-context.js';
import { layerAt, layersOf } from '../schema/layers.js';

interface ProblemListProps {
  problems: readonly PaywallProblem[];
  /** Called when a problem was opened. */
  onOpen: () => void;
}

/** Problems of the paywall. Each opens the field or the texts that it is about. */
export function ProblemList({ problems, onOpen }: ProblemListProps) {
  const { document, locale, schema, showProblem } = usePaywallDocument();
  const root = layersOf(schema, document);
  const placeOf = ({ path: pointer }: PaywallProblem): string => {
    const path = pathOf(pointer);
    if (isAboutTexts(path)) return ['Texts', ...path.slice(1, 2)].join(', ');
    return visibleText(layerName(schema, layerAt(root, path), document, locale));
  };
  return (
    <ul aria-label="Problems" className="divide-y divide-line rounded-md border border-line">
      {problems.map((problem, index) => {
        const isError = problem.severity === 'error';
        return (
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                onOpen();
                showProblem(problem);
              }}
              className="flex w-full items-start gap-2 px-3 py-2 text-start hover:bg-hover pointer-coarse:min-h-11"
            >
              <Icon
                name={isError ? 'error' : 'warning'}
                label={isError ? 'Error' : 'Warning'}
                className={`mt-0.5 ${isError ? 'text-bad' : 'text-warn'}`}
              />
              <span className="min-w-0">
                <DataText>{problem.message}</DataText>
                <span className="block truncate text-xs text-muted">{placeOf(problem)}</span>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
