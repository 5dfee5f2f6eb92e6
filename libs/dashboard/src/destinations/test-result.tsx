import { DeliveryRequest } from '../frame/deliveries/delivery-request.js';
import { Disclosure } from '../ui/disclosure.js';
import { Icon } from '../ui/icons.js';
import { BodyView } from '../ui/text/body-view.js';
import { DataText } from '../ui/text/data-text.js';
import type { DestinationTest } from './destinations.writes.js';
import { testSentence } from './test-sentence.js';

interface TestResultProps {
  tool: string;
  result: DestinationTest;
}

/** Whether a test event arrived, with its requests and the answer. */
export function TestResult({ tool, result }: TestResultProps) {
  const { delivered, requests, response_body: body } = result;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p role="status" className="flex gap-2">
        <Icon
          name={delivered ? 'success' : 'error'}
          className={delivered ? 'mt-0.5 text-good' : 'mt-0.5 text-bad'}
        />
        <DataText>{testSentence(tool, result)}</DataText>
      </p>
      {requests.length > 0 && (
        <Disclosure title="Request and answer">
          {requests.map((request, index) => (
            <DeliveryRequest
              key={index}
              {...request}
              note="Keys are masked."
              label={labelOf('Request', index, requests.length)}
            />
          ))}
          {body !== null && body !== '' && (
            <section>
              <h3 className="mb-1 font-medium">Answer</h3>
              <BodyView label="Answer" body={body} />
            </section>
          )}
        </Disclosure>
      )}
    </div>
  );
}

const labelOf = (name: string, index: number, count: number) =>
  count === 1 ? undefined : `${name} ${index + 1}`;
