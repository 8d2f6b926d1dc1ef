import { type SyntheticEvent, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { canonicalTag, isRightToLeft } from '../../src/platform/text/languages.ts';
import { commentLabel, MAX_COMMENT, monthsIn } from '../dialog/inputs.ts';
import { type Messages, messagesIn } from '../dialog/messages.ts';
import { type Action, isBlocked, pageOf, TEXT_OF } from '../dialog/pages.ts';
import { createFlow, type FlowOptions } from '../headless/flow.ts';
import type { Draft, Shown, Step } from '../headless/types.ts';
import { warn } from '../headless/warn.ts';
import { attempt, createEnds, go, type Held, isLeaving, pageKeyOf } from './ends.ts';
import type { ButtonProps, FormProps, InputProps, RetentionFlow, RetentionFlowOptions } from './types.ts';

/** A screen reader calls an empty input invalid only after the browser has asked for it. */
const UNASKED = {
  'aria-invalid': false,
  onInvalid: ({ currentTarget }: SyntheticEvent<HTMLElement>) => currentTarget.removeAttribute('aria-invalid'),
} as const;

const stop = (event: SyntheticEvent) => event.stopPropagation();

/** React would tell the elements around the dialog, which stands above them. */
const KEPT_INSIDE = {
  onClick: stop,
  onKeyDown: stop,
  onInput: stop,
  onChange: stop,
  onReset: stop,
  onInvalid: stop,
  onFocus: stop,
  onBlur: stop,
};

/** What lives as long as the component. */
function createState(options: RetentionFlowOptions) {
  const current = { ...options };
  return {
    /** The options, as they are now. */
    current,
    made: createFlow(current as FlowOptions),
    link: undefined as HTMLElement | undefined,
    dialog: null as HTMLDialogElement | null,
    title: null as HTMLElement | null,
    form: null as HTMLFormElement | null,
    /** What was sent last. */
    sent: '',
  };
}

/**
 * A flow for a dialog of your own: what to show, and properties to spread on your elements. It calls you back, and leads
 * the customer on at the end. The options may change at any time; a session goes on with those of its start.
 */
export function useRetentionFlow(options: RetentionFlowOptions): RetentionFlow {
  const { api = '', flow: named, cancelUrl } = options;
  const languageOfPage = () => document.documentElement.lang || navigator.language;
  const locale = canonicalTag(options.locale ?? (typeof document === 'object' ? languageOfPage() : ''));
  const own = Object.entries(options.messages ?? {}).filter(([, text]) => text);
  const messages: Messages = { ...messagesIn(locale), ...Object.fromEntries(own) };
  const [held, setHeld] = useState<Held>();
  const [entered, setEntered] = useState<Draft>();
  const [state] = useState(() => createState(options));
  const flow = typeof named === 'string' ? state.made : named;
  const ends = useMemo(() => createEnds(flow, () => state.current, setHeld), [state, flow]);
  const view = useSyncExternalStore(flow.subscribe, flow.getView, flow.getView);

  const { node, busy, alert, draft } = view.type === 'node' ? view : {};
  const key = pageKeyOf(view);
  const isOpen = view.type !== 'nothing' && view.type !== 'left';

  useEffect(() => {
    const { current } = state;
    for (const name in current) delete current[name as keyof RetentionFlowOptions];
    Object.assign(current, options, { api, locale });
  });

  useEffect(() => {
    const rest = ends.follow();
    const close = () => flow.close();
    /** The browser may bring the page back as it was left. */
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && close();
    addEventListener('pageshow', onPageShow);
    addEventListener('popstate', close);
    return () => {
      removeEventListener('pageshow', onPageShow);
      removeEventListener('popstate', close);
      rest();
    };
  }, [ends, flow]);

  useEffect(() => {
    if (!isOpen) return undefined;
    const before = state.link ?? (document.activeElement as HTMLElement | null);
    return () => {
      setEntered(undefined);
      state.dialog?.close?.();
      before?.focus({ preventScroll: true });
    };
  }, [state, isOpen]);

  useEffect(() => {
    const { dialog, title, form } = state;
    if (!isOpen) return;
    try {
      if (dialog && !dialog.open) {
        if (dialog.showModal) dialog.showModal();
        // jsdom has no `showModal`.
        else dialog.open = true;
      }
    } catch {
      go(flow, cancelUrl);
    }
    // What React keeps of the page before has its answer.
    form?.reset();
    (title ?? dialog)?.focus();
  }, [state, isOpen, key]);

  function take(step: Omit<Step, 'node_key'>): void {
    state.sent = step.action;
    const { option, options: chosen, months, action } = step;
    if (node) {
      const told = { node: node.key, action, option, options: chosen, months, sessionId: flow.sessionId() };
      attempt(() => options.onStep?.(told));
    }
    flow.take(step);
  }

  function leave(): void {
    if (view.type === 'canceled' && (!view.closing || held)) go(flow, view.url ?? cancelUrl);
    else if (node) take({ action: 'cancel' });
    else flow.leave();
  }

  function act(action: Action, more?: Draft): void {
    if (action === 'close') flow.close();
    else if (action === 'cancel' || action === 'leave') leave();
    else if (!isBlocked(action, busy)) take({ action, ...more });
  }

  /** The second click of a double click does nothing: the first one may have led to another page. */
  const button = (onClick: () => void): ButtonProps => ({
    type: 'button',
    onClick: (event) => (event.detail > 1 ? event.preventDefault() : onClick()),
  });

  const page = isOpen ? pageOf(view as Exclude<Shown, { type: 'nothing' }>, messages) : undefined;
  const { survey, months } = page ?? {};
  const main = page?.buttons[0][1] ?? 'close';

  function buttonFor(action: Action): ButtonProps {
    const isSubmit = action === main && (survey ?? months);
    return {
      ...button(() => {
        if (!isSubmit) act(action);
        else if (!state.form) warn('the button is outside of a form with formProps');
      }),
      type: isSubmit ? 'submit' : 'button',
      'aria-disabled': isBlocked(action, busy),
      'aria-busy': busy?.action === action,
    };
  }

  /** What is entered in the form. A comment of nothing but blanks is none. */
  function read(form: HTMLFormElement): Draft {
    const data = new FormData(form);
    const [comment, month] = ['comment', 'months'].map(
      (name) => (data.get(name) as string | null)?.trim() || undefined,
    );
    if (!survey) return { months: month ? Number(month) : undefined };
    const options = data.getAll('option') as string[];
    if (!survey.multiple) return { option: options[0], comment };
    // A required checkbox would ask for itself alone.
    form
      .querySelector<HTMLInputElement>('[name="option"]')
      ?.setCustomValidity(options.length > 0 ? '' : messages.choose);
    return { options, comment };
  }

  const formProps: FormProps = {
    ref: (form) => void (state.form = form),
    onInput({ currentTarget }) {
      const now = { node_key: node?.key, ...read(currentTarget) };
      flow.note(now);
      setEntered(now);
    },
    onSubmit(event) {
      event.preventDefault();
      event.stopPropagation();
      const now = read(event.currentTarget);
      if (event.currentTarget.reportValidity()) act(main, now);
    },
  };
  const given = entered?.node_key === node?.key && entered ? entered : draft;
  const chosen = given?.options ?? [given?.option];
  const inputFor = (name: string, value: string | number, isChosen: boolean): InputProps => ({
    ...UNASKED,
    type: survey?.multiple ? 'checkbox' : 'radio',
    name,
    value,
    required: !survey?.multiple,
    defaultChecked: isChosen,
  });
  const nameOf = months && monthsIn(locale);
  const groupProps = { role: survey?.multiple ? 'group' : 'radiogroup', 'aria-label': page?.title } as const;

  return {
    ...flow,
    take,
    leave,
    view,
    isOpen,
    isBusy: !!busy || held === 'pending' || view.type === 'starting',
    alert: held === 'failed' ? messages.notSent : alert && messages[TEXT_OF[alert]],
    messages,
    page: page && {
      title:
        (node?.type === 'unknown' && node.config.title) ||
        page.title ||
        (held === 'failed' ? messages.cancel : messages.moment),
      body: page.body,
      image: page.image ?? undefined,
      points: page.points,
      buttons: page.buttons.map(([label, action]) => ({ label, action, buttonProps: buttonFor(action) })),
    },
    survey: survey && {
      ...survey,
      formProps,
      groupProps,
      options: survey.options.map(({ value, label }) => ({
        value,
        label,
        inputProps: inputFor('option', value, chosen.includes(value)),
      })),
      comment: survey.comment && {
        label: commentLabel(survey, chosen, messages),
        commentProps: {
          ...UNASKED,
          name: 'comment',
          required: survey.comment === 'required',
          maxLength: MAX_COMMENT,
          defaultValue: given?.comment,
          onBlur: ({ currentTarget }) => void (currentTarget.value = currentTarget.value.trim()),
        },
      },
    },
    offer:
      node?.type === 'offer'
        ? {
            ...node.config,
            formProps,
            groupProps,
            months: months?.map((one) => ({
              months: one,
              label: nameOf!(one),
              monthProps: inputFor('months', one, given?.months === one),
            })),
            acceptProps: buttonFor('accept'),
            declineProps: buttonFor('decline'),
          }
        : undefined,
    custom:
      node?.type === 'custom'
        ? { ...node.config, answer: (result) => !busy && take({ action: 'answer', result }) }
        : undefined,
    linkProps: {
      href: cancelUrl,
      onClick(event) {
        const { currentTarget: link, button: other, altKey, ctrlKey, metaKey, shiftKey } = event;
        const isOther = other || altKey || ctrlKey || metaKey || shiftKey || link.target?.replace('_self', '');
        if (event.defaultPrevented || isOther || isLeaving()) return;
        event.preventDefault();
        state.link = link;
        if (!flow.start() && event.detail < 2) leave();
      },
    },
    dialogProps: {
      ref: (dialog) => void (state.dialog = dialog),
      'aria-label': page?.title,
      lang: locale,
      dir: isRightToLeft(locale) ? 'rtl' : options.locale ? 'ltr' : undefined,
      ...KEPT_INSIDE,
      onClose(event) {
        stop(event);
        // A dialog inside of it may close, too.
        if (event.target === event.currentTarget) flow.close();
      },
    },
    titleProps: {
      ref(title) {
        state.title = title;
        // What had the focus may have gone meanwhile.
        if (title && state.dialog?.open && !state.dialog.contains(document.activeElement)) title.focus();
      },
      tabIndex: -1,
    },
    submitProps: buttonFor(main),
    keepProps: buttonFor('keep'),
    leaveProps: buttonFor('cancel'),
    closeProps: button(flow.close),
    retryProps:
      held === 'failed' || (alert && alert !== 'restarted')
        ? button(() => {
            if (held) ends.retry();
            // What is entered may have changed since it was sent.
            else if (state.form && state.sent === main) state.form.requestSubmit();
            else flow.retry();
          })
        : undefined,
  };
}
