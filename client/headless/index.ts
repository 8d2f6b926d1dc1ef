export { createFlow, type Flow, type FlowOptions, type Limits, type UnknownNode, type View } from './flow.ts';
export type {
  AcceptedOffer,
  Alert,
  Branding,
  Closing,
  Customer,
  Draft,
  FetchCustomerToken,
  FlowNode,
  Image,
  Step,
  Survey,
} from './types.ts';
