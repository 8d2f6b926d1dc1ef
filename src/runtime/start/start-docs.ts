import { ApiExamples } from '../../platform/api/fields/api-examples';
import { ApiIdempotencyKey } from '../../platform/http/bodies/idempotency-key';
import { InitSessionDto } from './start.dto';

export const ApiStartKey = () =>
  ApiIdempotencyKey(
    'Makes a start safe to repeat: within a workspace, the same key and body give the same session, counted once. ' +
      'Make a new random key for each start, such as a UUID, and keep it secret: whoever has it gets the session. ' +
      'With another body it is 422; sent twice in one request it is 400.',
  );

const FLOW_SLUG = 'leaving-acme-pro-k3v9x2mq';

export const ApiStart = () =>
  ApiExamples(InitSessionDto, {
    'anonymous (paste the slug of your flow)': { flow_slug: FLOW_SLUG },
    'in a language (paste the slug of your flow)': { flow_slug: FLOW_SLUG, locale: 'de' },
    'with the customer (paste the slug of your flow)': {
      flow_slug: FLOW_SLUG,
      customer: {
        id: 'cus_4711',
        email: 'ada@example.com',
        attributes: { plan: 'pro', seats: 12 },
        subscription: { amount: 4990, currency: 'EUR', interval: 'month' },
      },
    },
  });
