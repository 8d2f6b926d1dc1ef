import type { FocusEvent, FormEvent, MouseEvent, SyntheticEvent } from 'react';
import type { Messages } from '../dialog/messages.ts';
import type { Action } from '../dialog/pages.ts';
import type { Flow, FlowOptions, View } from '../headless/flow.ts';
import type { AcceptedOffer, FlowNode, Image, Step, Survey } from '../headless/types.ts';

/** A step, without what the customer wrote and what a component of yours gave. */
export interface StepEvent extends Omit<Step, 'node_key' | 'comment' | 'result'> {
  /** The key of the node. */
  node: string;
  /** The session's credential. */
  sessionId?: string;
}

/** With undefined for what is left out. */
type Optional<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

/** A node that the customer sees. */
export interface ShownEvent {
  /** The key of the node. */
  node: string;
  /** Such as `survey`. The types may grow. */
  type: string;
  /** The session's credential. */
  sessionId?: string;
}

/** What a callback of an end can do. */
export interface EndEvent {
  /** The session's credential. Your backend can read the session with it; don't put it into a URL or a log. */
  sessionId?: string;
  /**
   * Shows that something goes on until the promise settles. The customer can leave or close the dialog all the same. If
   * it is rejected, the customer is told, and "Try again" calls you again.
   */
  waitUntil: (promise: PromiseLike<unknown>) => void;
  /**
   * Keeps the customer on the page: nothing leads them to `acceptUrl` or `url`, unless they press "Continue" while they
   * wait.
   */
  preventDefault: () => void;
}

export interface SavedEvent extends EndEvent {
  /** undefined: the customer stays without one. */
  acceptedOffer?: AcceptedOffer;
  /** Where the accepted offer leads, if it does. */
  acceptUrl?: string;
  /** `pending` if billing has not applied the offer yet, so don't say that it is. */
  fulfilment?: 'none' | 'pending' | 'applied';
}

export interface CanceledEvent extends EndEvent {
  /** Where the customer goes now, to cancel. */
  url?: string;
}

interface Options extends Optional<Omit<FlowOptions, 'api' | 'flow' | 'cancelUrl'>> {
  /** Where the customer cancels. The link leads there, too, until your script has come. */
  cancelUrl: string;
  /** Words in place of the dialog's own, in the customer's language. */
  messages?: Optional<Partial<Messages>> | undefined;
  /** The customer sees a node. */
  onShown?: ((event: ShownEvent) => void) | undefined;
  /** The customer took a step. It is being sent; it may still fail. */
  onStep?: ((event: StepEvent) => void) | undefined;
  /** The customer stays. The service has confirmed it. What it returns is waited for, as by `waitUntil`. */
  onSaved?: ((event: SavedEvent) => unknown) | undefined;
  /** The customer took an offer that is no save, such as a call. They may still leave. */
  onContacted?: ((event: SavedEvent) => unknown) | undefined;
  /** The customer cancels. The service knows it, or was away. */
  onCanceled?: ((event: CanceledEvent) => unknown) | undefined;
}

/** `flow` is the slug of the flow, at the service whose address is `api`; or a flow that is made already. */
export type RetentionFlowOptions = Options & ({ api: string; flow: string } | { api?: undefined; flow: Flow });

/** For a button. While a step is under way, it does nothing, unless it is the way out. */
export interface ButtonProps {
  type: 'button' | 'submit';
  onClick: (event: MouseEvent) => void;
  'aria-disabled'?: boolean;
  'aria-busy'?: boolean;
}

/** For an input of type `radio` or `checkbox`. The browser keeps what is chosen. */
export interface InputProps {
  type: 'radio' | 'checkbox';
  name: string;
  value: string | number;
  required: boolean;
  defaultChecked: boolean;
  'aria-invalid': false;
  onInvalid: (event: SyntheticEvent<HTMLElement>) => void;
}

/** For the form around what is entered and the button that sends it. */
export interface FormProps {
  ref: (form: HTMLFormElement | null) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onInput: (event: FormEvent<HTMLFormElement>) => void;
}

/** For what is around inputs of which one is chosen, or several. */
export interface GroupProps {
  role: 'group' | 'radiogroup';
  'aria-label'?: string;
}

/** An answer to choose. */
export interface OptionParts {
  value: string;
  label: string;
  inputProps: InputProps;
}

export interface SurveyParts extends Omit<Survey, 'options' | 'comment'> {
  formProps: FormProps;
  /** For what is around the options. */
  groupProps: GroupProps;
  options: OptionParts[];
  /** A `<textarea>`; undefined if the survey takes no comment. `label`: what it is called, with the chosen option. */
  comment?: {
    label: string;
    commentProps: {
      name: string;
      required: boolean;
      maxLength: number;
      defaultValue?: string;
      'aria-invalid': false;
      onInvalid: (event: SyntheticEvent<HTMLElement>) => void;
      onBlur: (event: FocusEvent<HTMLTextAreaElement | HTMLInputElement>) => void;
    };
  };
}

type OfferConfig = Extract<FlowNode, { type: 'offer' }>['config'];

export interface OfferParts extends Omit<OfferConfig, 'months'> {
  /** For the form around `months` and the button that accepts. Without `months`, there need not be a form. */
  formProps: FormProps;
  /** For what is around `months`. */
  groupProps: GroupProps;
  /** How long the customer may pause, to choose from; undefined if there is nothing to choose. */
  months?: { months: number; label: string; monthProps: InputProps }[];
  acceptProps: ButtonProps;
  declineProps: ButtonProps;
}

type CustomConfig = Extract<FlowNode, { type: 'custom' }>['config'];

/** A page of your own. */
export interface CustomParts extends CustomConfig {
  /** Goes on. The result is kept, and branches may ask for it: any JSON, of at most 2,048 bytes. */
  answer: (result?: unknown) => void;
}

/** What any page has. */
export interface PageParts {
  title: string;
  body?: string;
  image?: Image;
  points?: string[];
  /** All buttons, the main one first. The main one of a survey, and of an offer with `months`, is for its form. */
  buttons: { label: string; action: Action; buttonProps: ButtonProps }[];
}

/** What stays inside of the dialog: React would tell the elements around it, which it stands above. */
type InsideEvent = 'onClick' | 'onKeyDown' | 'onInput' | 'onChange' | 'onReset' | 'onInvalid' | 'onFocus' | 'onBlur';

/** What the hook returns: what to show, and properties to spread. */
export interface RetentionFlow extends Omit<Flow, 'subscribe' | 'getView' | 'retry'> {
  /** What is shown, by its `type`. */
  view: View;
  /** Whether there is a dialog. */
  isOpen: boolean;
  /** Whether a step or a promise of yours is under way: say so. */
  isBusy: boolean;
  /** What the customer has to be told, in their language. With "Try again", if there are `retryProps`. */
  alert?: string;
  /** The words of the dialog, in the customer's language. */
  messages: Messages;
  /** The title, the texts and the buttons of what is shown; undefined without a dialog. */
  page?: PageParts;
  /** At a survey. */
  survey?: SurveyParts;
  /** At an offer. */
  offer?: OfferParts;
  /** At a page of your own. */
  custom?: CustomParts;
  /** For the link that opens the dialog. It works as a link until your script has come. */
  linkProps: { href: string; onClick: (event: MouseEvent<HTMLAnchorElement>) => void };
  /** For the `<dialog>`. It is opened as a modal, and Esc closes it. The focus goes to the title, and back. */
  dialogProps: {
    ref: (dialog: HTMLDialogElement | null) => void;
    'aria-label'?: string;
    lang?: string;
    dir?: 'ltr' | 'rtl';
    onClose: (event: SyntheticEvent) => void;
  } & Record<InsideEvent, (event: SyntheticEvent) => void>;
  /** For the heading. It has the focus when it comes. */
  titleProps: { ref: (title: HTMLElement | null) => void; tabIndex: -1 };
  /** The main button: of a survey, inside of the form. */
  submitProps: ButtonProps;
  /** "Keep my subscription". */
  keepProps: ButtonProps;
  /** The way out, on every view: "Cancel my subscription". It is never busy. */
  leaveProps: ButtonProps;
  /** Closes the dialog: the session stays open. */
  closeProps: ButtonProps;
  /** "Try again", if there is something to try. */
  retryProps?: ButtonProps;
}
