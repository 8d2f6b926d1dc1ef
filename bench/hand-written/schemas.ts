/** JSON schemas with which Fastify validates requests and compiles the serialisers of responses. */

const string = { type: 'string' };
const nullable = { type: 'string', nullable: true };
const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };
const anything = { type: 'object', additionalProperties: true };
const label = { type: 'string', minLength: 1, maxLength: 200 };

const object = (properties: Record<string, object>) => ({ type: 'object', properties });
const body = (properties: Record<string, object>, required: string[]) => ({
  ...object(properties),
  required,
  additionalProperties: false,
});

const params = object({ id: uuid });
const node = object({ key: string, type: string, config: anything });

export const startSession = {
  body: body({ flow_slug: { type: 'string', minLength: 1, maxLength: 100 } }, ['flow_slug']),
  response: {
    201: object({
      session_id: string,
      flow: object({
        name: string,
        branding: object({ primary_color: string, logo_url: string }),
        entry_node: node,
      }),
    }),
  },
};

export const takeStep = {
  params,
  body: body(
    {
      node_key: { type: 'string', maxLength: 64 },
      action: { enum: ['continue', 'answer', 'accept', 'decline', 'confirm', 'keep', 'cancel'] },
      option: { type: 'string', maxLength: 64 },
      comment: { type: 'string', maxLength: 5000 },
    },
    ['action'],
  ),
  response: {
    200: object({
      session_id: string,
      status: string,
      node: { ...node, nullable: true },
      redirect_url: nullable,
      accepted_offer: { ...anything, nullable: true },
    }),
  },
};

const listedFlow = {
  id: string,
  name: string,
  slug: string,
  product_name: string,
  status: string,
  flow_mode: string,
  current_version: { type: 'integer' },
  updated_at: time,
};

export const listFlows = {
  querystring: object({ limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 } }),
  response: {
    200: object({ flows: { type: 'array', items: object(listedFlow) }, next_cursor: nullable }),
  },
};

export const getFlow = {
  params,
  response: {
    200: object({
      ...listedFlow,
      cancellation_url: string,
      description: nullable,
      estimated_monthly_value: { type: 'number', nullable: true },
      notification_email: nullable,
      offer_ids: { type: 'array', items: string },
      definition: object({ entry: string, nodes: { type: 'array', items: anything } }),
      created_at: time,
    }),
  },
};

export const createOffer = {
  body: body(
    {
      name: label,
      offer_type: {
        enum: ['discount_percentage', 'discount_fixed', 'pause_subscription', 'trial_extension', 'custom'],
      },
      offer_value: { type: 'string', maxLength: 200, default: '' },
      offer_duration: { type: 'string', maxLength: 200, default: '' },
      heading: { ...label, default: 'Stay with us' },
      body: { type: 'string', maxLength: 5000, default: '' },
      cta_accept: { ...label, default: 'Accept offer' },
      cta_decline: { ...label, default: 'No thanks' },
    },
    ['name', 'offer_type'],
  ),
  response: { 201: object({ id: string, name: string }) },
};
