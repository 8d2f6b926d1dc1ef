import type { components, operations, webhooks } from './api.ts';

type Schemas = components['schemas'];

/** The JSON that an operation takes. */
export type Body<Id extends keyof operations> = BodyOf<operations[Id]>;

/** The query parameters that an operation takes. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** The JSON that an operation answers when it has done what it was asked. */
export type Answer<Id extends keyof operations> = AnswerOf<operations[Id]>;

export type BodyOf<Operation> = Operation extends {
  requestBody?: { content: { 'application/json': infer Json } };
}
  ? Json
  : never;

export type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? Query : never;

export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 | 202
        ? Responses[Status] extends { content: { 'application/json': infer Json } }
          ? Json
          : never
        : never;
    }[keyof Responses]
  : never;

/** What a webhook is sent, by `type`. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

/** The kind of an error, for programs. `unknown` is an answer that is not the service's, such as a proxy's page. */
export type ErrorCode = Schemas['Problem']['code'] | 'unknown';

/** What is wrong with one field of a body, by its `pointer`, one `parameter` of a query, or one `header`. */
export type FieldError = Schemas['FieldError'];
/** What is wrong with one field of a body or a draft. `pointer` is a JSON Pointer into it. */
export type BodyError = Schemas['BodyError'];
/** Something that shows a picture which is to be deleted. */
export type Use = Schemas['Use'];

export type ApiKey = Schemas['ApiKey'];
export type ApiKeyList = Schemas['ApiKeyList'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type CustomerKey = Schemas['CustomerKey'];
export type CustomerKeyList = Schemas['CustomerKeyList'];
export type CreatedCustomerKey = Schemas['CreatedCustomerKey'];
export type FulfilmentItem = Schemas['FulfilmentItem'];
export type FulfilmentList = Schemas['FulfilmentList'];
export type Person = Schemas['Person'];
export type PersonList = Schemas['PersonList'];
export type Invitation = Schemas['Invitation'];
export type InvitationList = Schemas['InvitationList'];
export type Change = Schemas['Change'];
export type ChangeList = Schemas['ChangeList'];
/** The actor of the request, with their role. */
export type Me = Schemas['Me'];
export type Workspace = Schemas['Workspace'];
export type WorkspaceList = Schemas['WorkspaceList'];
export type WorkspaceStats = Schemas['WorkspaceStats'];

/** A picture that was uploaded. */
export type Image = Schemas['Image'];
export type ImageList = Schemas['ImageList'];

export type Offer = Schemas['Offer'];
export type Audience = Schemas['Audience'];
export type AudienceList = Schemas['AudienceList'];
export type OfferList = Schemas['OfferList'];
export type OfferListItem = Schemas['OfferListItem'];
export type OfferVersion = Schemas['OfferVersion'];
/** What is live of an offer after it was published. */
export type PublishedOffer = Schemas['PublishedOffer'];
/** What is being edited of an offer, beside what is live. */
export type OfferDraft = Schemas['OfferDraft'];
/** A flow that names an offer. */
export type OfferFlow = Schemas['OfferFlow'];
export type OfferFlowList = Schemas['OfferFlowList'];
export type CreateOffer = Body<'offers_create'>;
export type UpdateOffer = Body<'offers_update'>;

export type Flow = Schemas['Flow'];
export type FlowList = Schemas['FlowList'];
export type FlowListItem = Schemas['FlowListItem'];
export type FlowVersion = Schemas['FlowVersion'];
export type VersionList = Schemas['VersionList'];
/** A version of a flow or an offer, without its content. */
export type VersionListItem = Schemas['VersionListItem'];
/** What is being edited of a flow, beside what is live. */
export type FlowDraft = Schemas['FlowDraft'];
/** Who made a change. */
export type Actor = Schemas['Actor'];
/** The graph of a flow: pages, questions and offers. */
export type FlowDefinition = Schemas['FlowDefinition'];
export type FlowNode = FlowDefinition['nodes'][number];
/** What a rule of a jurisdiction found in a flow. */
export type Finding = Schemas['Finding'];
export type FlowStats = Schemas['FlowStats'];
export type FlowNodeStats = Schemas['FlowNodeStats'];
export type CreateFlow = Body<'flows_create'>;
export type UpdateFlow = Body<'flows_update'>;

export type SessionStatus = Schemas['SessionStatus'];
/** A session as the team reads it, with each step. */
export type SessionRecord = Schemas['SessionRecord'];
export type SessionList = Schemas['SessionList'];
export type SessionListItem = Schemas['SessionListItem'];
export type Comment = Schemas['Comment'];
export type Declaration = Schemas['Declaration'];
export type DeclarationList = Schemas['DeclarationList'];
export type CommentList = Schemas['CommentList'];

/** A session as the customer's page sees it. */
export type Session = Schemas['Session'];
export type StartedSession = Schemas['StartedSession'];
export type StartSession = Body<'runtime_start'>;
export type Customer = Schemas['Customer'];
export type Subscription = Schemas['Subscription'];
type AnyAnswer = Schemas['AnswerStep'];
/**
 * What a customer does at a node. An answer has its `option`, or its `options` if the survey is `multiple`; at a node of
 * type `custom` the `result`, which may be undefined.
 */
export type Step =
  | Exclude<Body<'runtime_step'>, AnyAnswer>
  | (AnyAnswer &
      (
        | { option: string; options?: never; result?: never }
        | { option?: never; options: string[]; result?: never }
        | { option?: never; options?: never; result: AnyAnswer['result'] }
      ));
/** What to render: a page, a question, an offer, whether to cancel, or a page of your own. */
export type SessionNode = NonNullable<Session['node']>;
export type StartNode = Schemas['RuntimeStart'];
export type SurveyNode = Schemas['RuntimeSurvey'];
export type OfferNode = Schemas['RuntimeOffer'];
export type ConfirmNode = Schemas['RuntimeConfirm'];
export type CustomNode = Schemas['RuntimeCustom'];
/** The name, logo and colour of the workspace. */
export type Branding = Schemas['Branding'];
/** What a customer reads when the session has ended. */
export type Closing = Schemas['Closing'];
export type AcceptedOffer = Schemas['AcceptedOffer'];

export type BillingConnection = Schemas['BillingConnection'];
/** What became of a session in the billing system. */
export type Fulfilment = Schemas['Fulfilment'];

export type ReportOutcome = Body<'outcomes_report'>;
export type Outcome = Schemas['Outcome'];

export type Webhook = Schemas['Webhook'];
export type WebhookList = Schemas['WebhookList'];
export type CreatedWebhook = Schemas['CreatedWebhook'];
export type CreateWebhook = Body<'webhooks_create'>;
export type UpdateWebhook = Body<'webhooks_update'>;
export type DeliveryList = Schemas['DeliveryList'];
export type DeliveryListItem = Schemas['DeliveryListItem'];
export type EventList = Schemas['EventList'];
export type EventListItem = Schemas['EventListItem'];
export type EventRecord = Schemas['Event'];
