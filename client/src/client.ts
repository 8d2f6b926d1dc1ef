import { type ClientOptions, Connection } from './connection.ts';
import { Auth, Me } from './resources/account.ts';
import { Audiences } from './resources/audiences.ts';
import { Billing, Fulfilments } from './resources/billing.ts';
import { Changes } from './resources/changes.ts';
import { Config } from './resources/config.ts';
import { Comments, Customers, Outcomes, Sessions } from './resources/customers.ts';
import { Declarations } from './resources/declarations.ts';
import { Events } from './resources/events.ts';
import { Flows } from './resources/flows.ts';
import { Images } from './resources/images.ts';
import { ApiKeys, CustomerKeys } from './resources/keys.ts';
import { Offers } from './resources/offers.ts';
import { Invitations, People } from './resources/people.ts';
import { Runtime } from './resources/runtime.ts';
import { Webhooks } from './resources/webhooks.ts';
import { OwnWorkspace, Workspaces } from './resources/workspaces.ts';

/**
 * A client of the Retention Flow Service. Each method is one operation of its interface, and resolves with the answer,
 * or rejects with an `ApiError`, a `ConnectionError`, or the reason of your signal; with a `TypeError` if nothing can
 * be sent.
 *
 * What fails on the way is tried again if that is safe: all reads, changes and deletions, steps of a session, and what
 * creates something, by its Idempotency-Key.
 */
export class RetentionFlow {
  /** The pages, questions and offers that a customer who is about to leave goes through. */
  readonly flows: Flows;
  /** Reusable alternatives to cancelling. */
  readonly offers: Offers;
  /** Conditions with a name, which branches of several flows go by. */
  readonly audiences: Audiences;
  /** Pictures that pages and offers show. */
  readonly images: Images;
  /** What each customer was shown and did. */
  readonly sessions: Sessions;
  /** What customers wrote with their answers. */
  readonly comments: Comments;
  /** Your customers, as far as sessions identify them. */
  readonly customers: Customers;
  /** What became of customers after their sessions. */
  readonly outcomes: Outcomes;
  /** The connection to your billing system. */
  readonly billing: Billing;
  /** What customers decided for billing. */
  readonly fulfilments: Fulfilments;
  /** What customers declared on exit pages. */
  readonly declarations: Declarations;
  /** Your endpoints, which are told what happens. */
  readonly webhooks: Webhooks;
  /** What happened, and where it was sent. */
  readonly events: Events;
  /** The workspace that the API key belongs to. */
  readonly workspace: OwnWorkspace;
  /** The workspace as one document. */
  readonly config: Config;
  /** The API keys of the workspace. */
  readonly apiKeys: ApiKeys;
  /** The keys that your backend signs customer tokens with. */
  readonly customerKeys: CustomerKeys;
  /** The people of the workspace. For a browser in which a person is signed in. */
  readonly people: People;
  /** Invitations to the workspace. Only for an owner who is signed in with this browser. */
  readonly invitations: Invitations;
  /** The log of changes: actor, action and subject of each. */
  readonly changes: Changes;
  /** The actor of the request, with their role. */
  readonly me: Me;
  /** How people come in. For browsers. */
  readonly auth: Auth;
  /** All workspaces of the service. They need the operator's key. */
  readonly workspaces: Workspaces;
  /** What a customer's page calls. It needs no key. */
  readonly runtime: Runtime;

  constructor(options: ClientOptions) {
    const connection = new Connection(options);
    this.flows = new Flows(connection);
    this.offers = new Offers(connection);
    this.audiences = new Audiences(connection);
    this.images = new Images(connection);
    this.sessions = new Sessions(connection);
    this.comments = new Comments(connection);
    this.customers = new Customers(connection);
    this.outcomes = new Outcomes(connection);
    this.billing = new Billing(connection);
    this.fulfilments = new Fulfilments(connection);
    this.declarations = new Declarations(connection);
    this.webhooks = new Webhooks(connection);
    this.events = new Events(connection);
    this.workspace = new OwnWorkspace(connection);
    this.config = new Config(connection);
    this.apiKeys = new ApiKeys(connection);
    this.customerKeys = new CustomerKeys(connection);
    this.people = new People(connection);
    this.invitations = new Invitations(connection);
    this.changes = new Changes(connection);
    this.me = new Me(connection);
    this.auth = new Auth(connection);
    this.workspaces = new Workspaces(connection);
    this.runtime = new Runtime(connection);
  }
}
