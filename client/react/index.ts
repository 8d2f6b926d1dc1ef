export { CancelFlow } from './cancel-flow.tsx';
export type {
  CancelFlowProps,
  CloseProps,
  Components,
  CustomProps,
  OfferProps,
  OptionProps,
  PageProps,
  Part,
} from './cancel-flow.tsx';
export type { PictureProps, SurveyProps } from './cancel-flow.tsx';
export * from './types.ts';
export { useRetentionFlow } from './use-retention-flow.ts';
export type { Messages } from '../dialog/messages.ts';
export type { Action } from '../dialog/pages.ts';
export type { Flow, View } from '../headless/flow.ts';
export type { AcceptedOffer, Draft, FlowNode, Step } from '../headless/types.ts';
