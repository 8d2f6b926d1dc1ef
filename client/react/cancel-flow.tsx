import { type ComponentType, type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { inkOn } from '../dialog/color.ts';
import LOOK from '../dialog/look.css';
import { isWayOut, partOf } from '../dialog/pages.ts';
import { isWebUrl } from '../headless/service.ts';
import { warn } from '../headless/warn.ts';
import { go, pageKeyOf } from './ends.ts';
import { Guard } from './guard.tsx';
import PAGE from './page.css';
import { isReachable } from './reachable.ts';
import type { CustomParts, InputProps, OfferParts, PageParts, SurveyParts } from './types.ts';
import type { ButtonProps, RetentionFlow, RetentionFlowOptions } from './types.ts';
import { useRetentionFlow } from './use-retention-flow.ts';

/** What a page of yours gets: all that the hook returns. Its way out stands below it: that is ours. */
export interface PageProps extends RetentionFlow {
  page: PageParts;
}
export interface SurveyProps extends PageProps {
  survey: SurveyParts;
}
export interface OfferProps extends PageProps {
  offer: OfferParts;
}
export interface CustomProps extends PageProps {
  custom: CustomParts;
}
/** An answer, or how long a pause lasts. */
export interface OptionProps {
  label: string;
  inputProps: InputProps;
}
export interface CloseProps {
  /** What it does, for who does not see it. */
  label: string;
  closeProps: ButtonProps;
}
export interface PictureProps {
  src: string;
  alt: string;
}

/** Components in place of ours. */
export interface Components {
  Start: ComponentType<PageProps>;
  Survey: ComponentType<SurveyProps>;
  /** Any offer that has none of the next four. */
  Offer: ComponentType<OfferProps>;
  Discount: ComponentType<OfferProps>;
  Pause: ComponentType<OfferProps>;
  Plan: ComponentType<OfferProps>;
  Extension: ComponentType<OfferProps>;
  Confirm: ComponentType<PageProps>;
  /** A page of your own, by its `kind`. */
  Custom: ComponentType<CustomProps>;
  Saved: ComponentType<PageProps>;
  Canceled: ComponentType<PageProps>;
  Contacted: ComponentType<PageProps>;
  Option: ComponentType<OptionProps>;
  Close: ComponentType<CloseProps>;
  Picture: ComponentType<PictureProps>;
}

/** What can have a class of yours: our look is then not on it. */
export type Part =
  | 'dialog'
  | 'busy'
  | 'close'
  | 'frame'
  | 'content'
  | 'logo'
  | 'image'
  | 'title'
  | 'body'
  | 'points'
  | 'options'
  | 'option'
  | 'label'
  | 'comment'
  | 'footer'
  | 'alert'
  | 'retry'
  | 'buttons'
  | 'primary'
  | 'secondary'
  | 'cancel';

interface Look {
  classNames?: Partial<Record<Part, string | undefined>> | undefined;
  components?: { [Name in keyof Components]?: Components[Name] | undefined } | undefined;
  /** Components for offers of type `custom`, by their `kind`. */
  offers?: Record<string, ComponentType<OfferProps> | undefined> | undefined;
  /** Without our look. */
  unstyled?: boolean | undefined;
}

export type CancelFlowProps = RetentionFlowOptions &
  Look & {
    /** What stands in the link. */
    children: ReactNode;
    /** Of the link. */
    className?: string | undefined;
  };

/**
 * A link to where customers cancel, which opens the flow in a dialog. Whatever is put in its place, the way out stays:
 * what throws, or hides the way out, is replaced by ours.
 */
export function CancelFlow(props: CancelFlowProps): ReactElement {
  const { children, className, classNames, components, offers, unstyled, ...options } = props;
  const flow = useRetentionFlow(options);
  const [isTrapped, setTrapped] = useState(false);
  const look: Look = isTrapped ? {} : { classNames, components, offers, unstyled };
  /** Who stays is not led to where one cancels. */
  const letGo = () => (flow.view.type === 'saved' ? flow.close() : go(flow, options.cancelUrl));
  function onTrap(): void {
    if (isTrapped) return letGo();
    warn('the way out could not be reached, so your components and classes are left out');
    setTrapped(true);
  }
  return (
    <>
      <a {...flow.linkProps} className={className}>
        {children}
      </a>
      {flow.isOpen && (
        <Guard instead={null} onThrow={letGo}>
          <Dialog flow={flow} look={look} onTrap={onTrap} />
        </Guard>
      )}
    </>
  );
}

/**
 * How often it is looked whether the way out can be reached, in milliseconds. Once doesn't count: a dialog may fade in.
 */
const CHECK_MS = 500;

let sheet: CSSStyleSheet | undefined;

/** @param onTrap called when the customer can't reach the way out, and each second that this stays so */
function Dialog({ flow, look, onTrap }: { flow: RetentionFlow; look: Look; onTrap: () => void }): ReactElement {
  const { dialogProps, view, messages } = flow;
  const { unstyled } = look;
  const dialog = useRef<HTMLDialogElement | null>(null);
  const trapped = useRef(onTrap);
  useEffect(() => void (trapped.current = onTrap));

  useEffect(() => {
    if (unstyled) return;
    try {
      if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(PAGE + LOOK);
      const root = dialog.current!.getRootNode() as Document | ShadowRoot;
      // What a script adopts needs no exception from a policy for styles.
      if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
    } catch {
      // In jsdom, and in a frame of another page.
    }
  }, [unstyled]);

  useEffect(() => {
    let misses = 0;
    const timer = setInterval(() => {
      const wayOut = dialog.current?.querySelector<HTMLElement>('[data-way-out]');
      misses = wayOut && isReachable(wayOut, dialog.current!) ? 0 : misses + 1;
      if (misses > 0 && misses % 2 === 0) trapped.current();
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, []);

  const { primary_color, font, radius } = flow.branding() ?? {};
  const brand: object = {
    '--rf-own-brand': primary_color,
    '--rf-own-ink': primary_color && inkOn(primary_color),
    '--rf-own-font': font,
    '--rf-own-radius': radius && `var(--rf-radius,${radius})`,
  };
  const ours = { classNames: look.classNames, unstyled };
  const leave = { label: messages.cancel, action: 'cancel', buttonProps: flow.leaveProps } as const;
  const page = { title: messages.moment, buttons: [leave] };
  return (
    <dialog
      {...dialogProps}
      {...partsOf(look)('dialog')}
      ref={(element) => {
        dialog.current = element;
        dialogProps.ref(element);
      }}
      style={brand}
      data-retention-flow=""
    >
      <Guard key={pageKeyOf(view)} instead={<Frame flow={flow} look={ours} />}>
        <Suspense fallback={<Frame flow={{ ...flow, page, survey: undefined, offer: undefined }} look={ours} />}>
          <Frame flow={flow} look={look} />
        </Suspense>
      </Guard>
    </dialog>
  );
}

/** What is inside of the dialog. */
function Frame({ flow, look }: { flow: RetentionFlow; look: Look }) {
  const { survey, offer, alert, retryProps, closeProps, messages } = flow;
  const part = partsOf(look);
  const page = flow.page!;
  const own = ownPage({ ...flow, page }, look);
  const form = own ? undefined : (survey?.formProps ?? (offer?.months && offer.formProps));
  const Element = form ? 'form' : 'div';
  const wayOut = page.buttons.find(({ action }) => isWayOut(action)) ?? page.buttons[0];
  const { Close } = look.components ?? {};
  const logo = flow.branding()?.logo_url;
  return (
    <Element {...part('frame')} {...(form as object)}>
      <div {...part('busy')} role="status">
        {flow.isBusy && messages.moment}
      </div>
      {Close ? (
        <Close label={messages.close} closeProps={closeProps} />
      ) : (
        <button {...part('close')} {...closeProps} aria-label={messages.close}>
          ×
        </button>
      )}
      <div {...part('content')} tabIndex={0}>
        {flow.view.isLocal && (
          <p {...part('body')}>
            <strong>Not a real cancellation</strong>
          </p>
        )}
        {isWebUrl(logo) && <img {...part('logo')} alt="" src={logo} />}
        {own ?? <Content flow={flow} page={page} look={look} />}
      </div>
      <div {...part('footer')}>
        <div {...part('alert')} role="alert">
          {alert}
          {retryProps && (
            <button {...part('retry')} {...retryProps}>
              {messages.retry}
            </button>
          )}
        </div>
        <div {...part('buttons')}>
          {(own ? [wayOut] : page.buttons).map((button) => (
            <button
              key={button.action}
              {...part(partOf(button.action, button === page.buttons[0]))}
              {...button.buttonProps}
              data-way-out={button === wayOut || undefined}
            >
              {button.label}
            </button>
          ))}
        </div>
      </div>
    </Element>
  );
}

/** Our page. */
function Content({ flow, page, look }: { flow: RetentionFlow; page: PageParts; look: Look }) {
  const part = partsOf(look);
  const { Picture, Option } = look.components ?? {};
  const { image, title, body, points = [] } = page;
  const { survey, offer, titleProps } = flow;
  const { comment } = survey ?? {};
  const choices =
    survey?.options ??
    offer?.months?.map(({ months, label, monthProps }) => ({ value: months, label, inputProps: monthProps }));
  return (
    <>
      {image &&
        (Picture ? (
          <Picture src={image.url} alt={image.alt} />
        ) : (
          <img {...part('image')} src={image.url} alt={image.alt} referrerPolicy="no-referrer" />
        ))}
      <h2 {...part('title')} {...titleProps}>
        {title}
      </h2>
      {body && <p {...part('body')}>{body}</p>}
      {points.length > 0 && (
        <ul {...part('points')}>
          {points.map((point, index) => (
            <li key={index}>{point}</li>
          ))}
        </ul>
      )}
      {choices && (
        <div {...part('options')} {...(survey ?? offer)?.groupProps}>
          {choices.map(({ value, label, inputProps }) =>
            Option ? (
              <Option key={value} label={label} inputProps={inputProps} />
            ) : (
              <label key={value} {...part('option')}>
                <input {...inputProps} />
                {label}
              </label>
            ),
          )}
        </div>
      )}
      {comment && (
        <label {...part('label')}>
          {comment.label}
          <textarea {...part('comment')} rows={3} {...comment.commentProps} />
        </label>
      )}
    </>
  );
}

const OFFERS: Record<string, 'Discount' | 'Pause' | 'Plan' | 'Extension' | undefined> = {
  discount_percentage: 'Discount',
  discount_fixed: 'Discount',
  pause_subscription: 'Pause',
  plan_change: 'Plan',
  trial_extension: 'Extension',
};

const PAGES: Record<string, 'Start' | 'Confirm' | 'Saved' | 'Canceled' | 'Contacted' | undefined> = {
  start: 'Start',
  confirm: 'Confirm',
  saved: 'Saved',
  canceled: 'Canceled',
  contacted: 'Contacted',
};

/** The page's own component for what is shown, if it has one. */
function ownPage(flow: PageProps, { components = {}, offers = {} }: Look): ReactNode {
  const { view, survey, offer, custom } = flow;
  const { Survey, Custom } = components;
  if (survey) return Survey && <Survey {...flow} survey={survey} />;
  if (custom) return Custom && <Custom {...flow} custom={custom} />;
  if (offer) {
    const ofKind = new Map(Object.entries(offers)).get(offer.kind ?? '');
    const Offer = ofKind ?? components[OFFERS[offer.offer_type] ?? 'Offer'] ?? components.Offer;
    return Offer && <Offer {...flow} offer={offer} />;
  }
  const name = PAGES[view.type === 'node' ? view.node.type : view.type];
  const Page = name && components[name];
  return Page && <Page {...flow} />;
}

/** The properties that give what is of one or several parts its look: the class of the page's for the first, or ours. */
function partsOf({ classNames = {}, unstyled }: Look) {
  return (part: Part | ReturnType<typeof partOf>) => {
    const own = classNames[part.split(' ')[0] as Part];
    return own || unstyled ? { className: own } : { part };
  };
}
