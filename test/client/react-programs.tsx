import {
  CancelFlow,
  type Components,
  type OfferProps,
  type RetentionFlow,
  useRetentionFlow,
} from '@retention-flow/client/react';

/**
 * Programs that the types for React take, and with `@ts-expect-error` programs that they refuse. They are compiled with the types
 * of React 18 and 19, and never run.
 */

/** What is shown narrows by its type. */
export function titleOf({ view, page, survey, offer, custom }: RetentionFlow): string | undefined {
  if (view.type === 'contacted') return view.acceptedOffer.heading;
  // @ts-expect-error: nothing is accepted yet
  if (view.type === 'starting') return view.acceptedOffer;
  if (view.type === 'node' && view.node.type === 'survey') return view.node.config.options[0].label;
  // @ts-expect-error: there may be no survey
  if (view.type === 'left') return survey.title;
  custom?.answer({ score: 9 });
  return survey?.title ?? offer?.heading ?? page?.title;
}

/** An offer is there for its component. */
function Call({ offer, titleProps }: OfferProps) {
  return (
    <>
      <h2 {...titleProps}>{offer.heading}</h2>
      <button {...offer.acceptProps}>{offer.cta_accept}</button>
    </>
  );
}

const components: Partial<Components> = {
  Option: ({ label, inputProps }) => (
    <label>
      <input {...inputProps} /> {label}
    </label>
  ),
  Close: ({ label, closeProps }) => <button {...closeProps}>{label}</button>,
  Picture: ({ src, alt }) => <img src={src} alt={alt} />,
};

export const links = [
  <CancelFlow
    api="https://retention.acme.example"
    flow="leaving"
    cancelUrl="/cancel"
    customerToken={() => fetch('/token').then((response) => response.text())}
    messages={{ keep: 'Stay with Acme' }}
    classNames={{ primary: 'button' }}
    components={components}
    offers={{ call: Call }}
    onSaved={({ acceptedOffer, waitUntil }) => waitUntil(fetch(`/saved/${acceptedOffer?.id}`))}
    onStep={({ node, action, option }) => console.log(node, action, option)}
  >
    Cancel subscription
  </CancelFlow>,
  // @ts-expect-error: nobody would know where to cancel
  <CancelFlow api="https://retention.acme.example" flow="leaving">
    Cancel subscription
  </CancelFlow>,
  // @ts-expect-error: no such component
  <CancelFlow api="https://retention.acme.example" flow="leaving" cancelUrl="/cancel" components={{ Sruvey: Call }}>
    Cancel subscription
  </CancelFlow>,
];

/** The properties fit the elements that they are for. */
export function Dialog() {
  const { linkProps, dialogProps, titleProps, survey, offer, leaveProps, retryProps } = useRetentionFlow({
    api: 'https://retention.acme.example',
    flow: 'leaving',
    cancelUrl: '/cancel',
  });
  return (
    <>
      <a {...linkProps}>Cancel</a>
      <dialog {...dialogProps}>
        <form {...survey?.formProps}>
          <h2 {...titleProps}>{survey?.title}</h2>
          <input {...survey?.options[0].inputProps} />
          <textarea {...survey?.comment?.commentProps} />
          <input {...offer?.months?.[0].monthProps} />
          <button {...leaveProps}>Leave</button>
          <button {...retryProps}>Again</button>
        </form>
      </dialog>
    </>
  );
}
